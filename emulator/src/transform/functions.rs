//! The functions that expressions may call: those that the schemas use.

use super::evaluate::Evaluation;
use super::held::{Evaluated, Held, number, of_number};
use super::regex::{Found, Regex};
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

/// Matches that one call may make.
const MATCHES: usize = 10_000;

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
        "join" => join(&arguments),
        _ => match arguments.text(0)? {
            None => Ok(Held::Nothing),
            Some(text) => of_text(&arguments, &text, regex(1)),
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

/// The functions whose first argument is a text. `regex` is the second argument when it is a regular expression.
fn of_text<'e>(arguments: &Arguments<'_, 'e>, text: &str, regex: Option<&Regex>) -> Evaluated<'e> {
    match arguments.name {
        "lowercase" => arguments.made(text.to_lowercase()),
        "uppercase" => arguments.made(text.to_uppercase()),
        "trim" => arguments.made(text.split_whitespace().collect::<Vec<_>>().join(" ")),
        "substring" => {
            let letters: Vec<char> = text.chars().collect();
            let start = number(&arguments.get(1))?.unwrap_or_default();
            let start = if start < 0.0 { (letters.len() as f64 + start).max(0.0) } else { start } as usize;
            let length = number(&arguments.get(2))?.map_or(letters.len(), |length| length.max(0.0) as usize);
            arguments.made(letters.iter().skip(start).take(length).collect())
        }
        "substringAfter" | "substringBefore" => {
            let Some(mark) = arguments.text(1)? else { return Ok(Held::Nothing) };
            let parts = text.split_once(&*mark);
            let part = parts.map(|(before, after)| if arguments.name == "substringAfter" { after } else { before });
            arguments.made(part.unwrap_or(text).to_owned())
        }
        "pad" => pad(arguments, text),
        "contains" => {
            let is_there = match regex {
                Some(regex) => regex.find(&text.chars().collect::<Vec<_>>(), 0)?.is_some(),
                None => arguments.text(1)?.is_some_and(|part| text.contains(&*part)),
            };
            Ok(Value::Bool(is_there).into())
        }
        "split" => split(arguments, text, regex),
        "match" => {
            let regex = regex.ok_or("$match wants a regular expression")?;
            matches(arguments, text, regex)
        }
        "replace" => replace(arguments, text, regex),
        name => Err(format!("there is no function ${name}")),
    }
}

fn join<'e>(arguments: &Arguments<'_, 'e>) -> Evaluated<'e> {
    let Held::Data(_) = arguments.get(0) else { return Ok(Held::Nothing) };
    let separator = arguments.text(1)?.unwrap_or_default();
    let items = arguments.get(0).items();
    let texts: Option<Vec<&str>> = items.iter().map(|item| item.data()?.as_str()).collect();
    arguments.made(texts.ok_or("$join wants texts")?.join(&separator))
}

fn pad<'e>(arguments: &Arguments<'_, 'e>, text: &str) -> Evaluated<'e> {
    let Some(width) = number(&arguments.get(1))? else { return arguments.made(text.to_owned()) };
    let filling = arguments.text(2)?.filter(|filling| !filling.is_empty()).unwrap_or_else(|| " ".to_owned());
    let missing = (width.abs() as usize).saturating_sub(text.chars().count());
    arguments.evaluation.charge(missing)?;
    let filling: String = filling.chars().cycle().take(missing).collect();
    arguments.made(if width < 0.0 { filling + text } else { text.to_owned() + &filling })
}

fn split<'e>(arguments: &Arguments<'_, 'e>, text: &str, regex: Option<&Regex>) -> Evaluated<'e> {
    let parts: Vec<String> = match (regex, arguments.text(1)?) {
        (Some(regex), _) => {
            let letters: Vec<char> = text.chars().collect();
            let (mut parts, mut from) = (Vec::new(), 0);
            for found in every(regex, &letters, MATCHES)? {
                parts.push(part(&letters, from, found.start));
                from = found.end;
            }
            parts.push(part(&letters, from, letters.len()));
            parts
        }
        (None, None) => return Ok(Held::Nothing),
        (None, Some(separator)) if separator.is_empty() => text.chars().map(String::from).collect(),
        (None, Some(separator)) => text.split(&*separator).map(str::to_owned).collect(),
    };
    let limit = arguments.count(2)?.unwrap_or(parts.len());
    let parts: Vec<Value> = parts.into_iter().take(limit).map(Value::String).collect();
    arguments.evaluation.charge(text.len() + parts.len())?;
    Ok(Value::Array(parts).into())
}

fn matches<'e>(arguments: &Arguments<'_, 'e>, text: &str, regex: &Regex) -> Evaluated<'e> {
    let letters: Vec<char> = text.chars().collect();
    let limit = arguments.count(2)?.unwrap_or(MATCHES);
    let mut results = Vec::new();
    for found in every(regex, &letters, limit)? {
        arguments.evaluation.charge(text.len() + found.groups.len())?;
        let group = |group: &Option<(usize, usize)>| {
            group.map_or(Value::Null, |(start, end)| Value::String(part(&letters, start, end)))
        };
        let groups: Vec<Value> = found.groups.iter().map(group).collect();
        let whole = part(&letters, found.start, found.end);
        results.push(json!({"match": whole, "index": found.start, "groups": groups}).into());
    }
    arguments.evaluation.sequence(results)
}

fn replace<'e>(arguments: &Arguments<'_, 'e>, text: &str, regex: Option<&Regex>) -> Evaluated<'e> {
    let Some(new) = arguments.text(2)? else { return Ok(Held::Nothing) };
    let limit = arguments.count(3)?.unwrap_or(MATCHES);
    let Some(regex) = regex else {
        let Some(old) = arguments.text(1)? else { return Ok(Held::Nothing) };
        if old.is_empty() {
            return Err("$replace cannot look for an empty text".to_owned());
        }
        arguments.evaluation.charge(text.matches(&*old).count().saturating_mul(new.len()))?;
        return arguments.made(text.replacen(&*old, &new, limit));
    };
    let letters: Vec<char> = text.chars().collect();
    let (mut replaced, mut from) = (String::new(), 0);
    for found in every(regex, &letters, limit)? {
        replaced.push_str(&part(&letters, from, found.start));
        let filled = filled(&new, &letters, &found);
        arguments.evaluation.charge(filled.len())?;
        replaced.push_str(&filled);
        from = found.end;
    }
    replaced.push_str(&part(&letters, from, letters.len()));
    arguments.made(replaced)
}

/// A replacement with `$1` and so on in place.
fn filled(new: &str, letters: &[char], found: &Found) -> String {
    let mut text = String::new();
    let mut rest = new;
    while let Some((before, after)) = rest.split_once('$') {
        text.push_str(before);
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        rest = after;
        if let Some(literal) = after.strip_prefix('$') {
            text.push('$');
            rest = literal;
            continue;
        }
        // As many digits as there are groups for.
        let group = (1..=digits).rev().find_map(|length| {
            let (number, rest) = after.split_at_checked(length)?;
            let number: usize = number.parse().ok()?;
            (number <= found.groups.len()).then_some((number, rest))
        });
        match group {
            Some((0, after)) => {
                text.push_str(&part(letters, found.start, found.end));
                rest = after;
            }
            Some((number, after)) => {
                let place = found.groups.get(number - 1).copied().flatten();
                text.push_str(&place.map_or_else(String::new, |(start, end)| part(letters, start, end)));
                rest = after;
            }
            None => text.push('$'),
        }
    }
    text + rest
}

/// Every match after the other, as many as `limit`.
fn every(regex: &Regex, letters: &[char], limit: usize) -> Result<Vec<Found>, String> {
    let (mut all, mut from) = (Vec::new(), 0);
    while all.len() < limit
        && let Some(found) = regex.find(letters, from)?
    {
        if found.start == found.end {
            return Err("a regular expression matches an empty text".to_owned());
        }
        from = found.end;
        all.push(found);
    }
    Ok(all)
}

fn part(letters: &[char], start: usize, end: usize) -> String {
    letters.get(start..end).into_iter().flatten().collect()
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
