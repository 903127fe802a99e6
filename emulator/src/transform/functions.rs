//! The functions that expressions may call: those that the schemas use. Those on texts are in [`texts`].

mod texts;

use super::evaluate::Evaluation;
use super::held::{Evaluated, Held, number, of_number};
use super::regex::Regex;
use serde_json::{Value, json};

/// A function with how it takes what it is evaluated on: as its first argument when that is missing, or never.
const KNOWN: [(&str, Input); 22] = [
    ("contains", Input::Text(1)),
    ("count", Input::Never),
    ("exists", Input::Never),
    ("floor", Input::Number),
    ("formatBase", Input::Never),
    ("join", Input::Never),
    ("lookup", Input::Never),
    ("lowercase", Input::Any),
    ("map", Input::Never),
    ("match", Input::Text(1)),
    ("number", Input::Any),
    ("pad", Input::Text(1)),
    ("power", Input::Never),
    ("replace", Input::Text(2)),
    ("split", Input::Text(1)),
    ("string", Input::Any),
    ("substring", Input::Text(1)),
    ("substringAfter", Input::Text(1)),
    ("substringBefore", Input::Text(1)),
    ("sum", Input::Never),
    ("trim", Input::Any),
    ("uppercase", Input::Any),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Input {
    Never,
    /// When there is no argument.
    Any,
    Number,
    /// When no text comes first, or so few arguments that it must be missing.
    Text(usize),
}

/// Whether there is such a function.
pub(super) fn is_known(name: &str) -> bool {
    KNOWN.iter().any(|(known, _)| *known == name)
}

/// Calls a function. `pattern` is the regular expression among the arguments, and which one it is.
pub(super) fn call<'e>(
    evaluation: &Evaluation<'e>,
    name: &str,
    mut given: Vec<Held<'e>>,
    pattern: Option<(usize, &Regex)>,
    input: &Held<'e>,
) -> Evaluated<'e> {
    let takes = KNOWN.iter().find(|(known, _)| *known == name).map_or(Input::Never, |(_, takes)| *takes);
    let is_text = |held: &Held<'e>| held.data().is_none_or(Value::is_string);
    let mut pattern = pattern;
    let is_input_meant = match takes {
        Input::Never => false,
        Input::Any | Input::Number => given.is_empty(),
        Input::Text(others) => {
            given.len() <= others && pattern.is_none_or(|(at, _)| at < others)
                || given.first().is_some_and(|first| !is_text(first))
        }
    };
    if is_input_meant {
        given.insert(0, input.clone());
        pattern = pattern.map(|(at, regex)| (at + 1, regex));
    }
    let regex = |at: usize| pattern.filter(|(place, _)| *place == at).map(|(_, regex)| regex);
    let arguments = Arguments { evaluation, name, given };
    match name {
        "exists" => Ok(Value::Bool(!matches!(arguments.get(0), Held::Nothing)).into()),
        "count" => Ok(json!(arguments.get(0).items().len()).into()),
        "sum" => {
            let Held::Data(_) = arguments.get(0) else { return Ok(Held::Nothing) };
            let mut sum = 0.0;
            for item in arguments.get(0).items() {
                sum += number(&item)?.unwrap_or_default();
            }
            of_number(sum)
        }
        "lookup" => {
            let Some(key) = arguments.text(1)? else { return Ok(Held::Nothing) };
            evaluation.member(&key, &arguments.get(0))
        }
        "map" => {
            let (values, function) = (arguments.get(0), arguments.get(1));
            let mut results = Vec::new();
            for (index, item) in values.items().into_iter().enumerate() {
                results.push(evaluation.apply(&function, &[item, json!(index).into(), values.clone()], input)?);
            }
            evaluation.sequence(results)
        }
        "number" => to_number(&arguments.get(0)),
        "string" => match arguments.get(0) {
            Held::Nothing => Ok(Held::Nothing),
            value => arguments.made(text_of(&value)),
        },
        "floor" => match number(&arguments.get(0))? {
            Some(number) => of_number(number.floor()),
            None => Ok(Held::Nothing),
        },
        "power" => match (number(&arguments.get(0))?, number(&arguments.get(1))?) {
            (Some(base), Some(exponent)) => of_number(base.powf(exponent)),
            _ => Ok(Held::Nothing),
        },
        "formatBase" => match number(&arguments.get(0))? {
            Some(value) => arguments.made(in_base(value, number(&arguments.get(1))?.unwrap_or(10.0))?),
            None => Ok(Held::Nothing),
        },
        "join" => texts::join(&arguments),
        _ => match arguments.text(0)? {
            None => Ok(Held::Nothing),
            Some(text) => texts::of_text(&arguments, &text, regex(1)),
        },
    }
}

struct Arguments<'v, 'e> {
    evaluation: &'v Evaluation<'e>,
    name: &'v str,
    given: Vec<Held<'e>>,
}

impl<'e> Arguments<'_, 'e> {
    fn get(&self, index: usize) -> Held<'e> {
        self.given.get(index).cloned().unwrap_or(Held::Nothing)
    }

    /// A text, `None` for nothing.
    fn text(&self, index: usize) -> Result<Option<String>, String> {
        match self.get(index) {
            Held::Nothing => Ok(None),
            Held::Data(value) => match &*value {
                Value::String(text) => Ok(Some(text.clone())),
                _ => Err(format!("${} wants a text", self.name)),
            },
            Held::Function(_) => Err(format!("${} wants a text", self.name)),
        }
    }

    fn count(&self, index: usize) -> Result<Option<usize>, String> {
        match number(&self.get(index))? {
            None => Ok(None),
            Some(count) if count >= 0.0 => Ok(Some(count as usize)),
            Some(_) => Err(format!("${} wants a number that is not below zero", self.name)),
        }
    }

    fn made(&self, text: String) -> Evaluated<'e> {
        self.evaluation.charge(text.len() + 1)?;
        Ok(Value::String(text).into())
    }
}

/// A value as text; nothing is empty.
pub(super) fn text_of(value: &Held<'_>) -> String {
    match value.data() {
        None => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
    }
}

fn to_number<'e>(value: &Held<'e>) -> Evaluated<'e> {
    match value {
        Held::Nothing => Ok(Held::Nothing),
        Held::Data(data) => match &**data {
            Value::Number(_) => Ok(value.clone()),
            Value::Bool(flag) => of_number(f64::from(u8::from(*flag))),
            Value::String(text) => {
                let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
                let parsed = text.parse::<f64>().ok().filter(|_| is_plain);
                of_number(parsed.ok_or("$number wants a text that is a number")?)
            }
            _ => Err("$number wants a number or a text".to_owned()),
        },
        Held::Function(_) => Err("$number wants a number or a text".to_owned()),
    }
}

/// A number, rounded, in a base from 2 to 36.
fn in_base(number: f64, base: f64) -> Result<String, String> {
    if !(2.0..=36.0).contains(&base) || number.abs() >= 9e15 {
        return Err("$formatBase wants a base from 2 to 36".to_owned());
    }
    let (base, mut rest) = (base as u64, number.round().abs() as u64);
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit((rest % base) as u32, base as u32).unwrap_or('0'));
        rest /= base;
        if rest == 0 {
            break;
        }
    }
    if number.round() < 0.0 {
        digits.push('-');
    }
    Ok(digits.iter().rev().collect())
}
