//! The value of a JSONata expression, within limits.
//!
//! Expressions come from the schemas, values from programs, so that only the values are a danger: their depth and the
//! lengths of their texts are limited, and time and depth of the evaluation too. The evaluator is not ours, and so a
//! panic in it is an expression without a value.

use bumpalo::Bump;
use jsonata_rs::{ArrayFlags, FunctionContext, JsonAta, Value};
use serde_json::{Map as JsonMap, Value as Json};

use crate::panics;

/// The longest evaluation, in milliseconds. Those in use take microseconds; a machine that is busy must not change plans.
pub const TIME: usize = 1000;

/// How deep an evaluation may nest; the deepest expression in use needs 45.
const DEPTH: usize = 64;

/// Values that nest deeper are not evaluated.
const VALUE_DEPTH: usize = 32;

/// Texts of more bytes are not evaluated: a regular expression may take the square of their length.
pub const LONGEST_TEXT: usize = 4096;

/// The expression cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unreadable;

/// What an expression comes to on an object of these members; `None` where it comes to nothing, to null, to an error, or
/// to no end within the limits.
///
/// # Errors
///
/// The expression cannot be read.
pub fn evaluate(expression: &str, members: &JsonMap<String, Json>) -> Result<Option<Json>, Unreadable> {
    evaluate_within(expression, members, TIME)
}

/// [`evaluate`] within fewer milliseconds.
///
/// # Errors
///
/// As there.
pub fn evaluate_within(
    expression: &str,
    members: &JsonMap<String, Json>,
    time: usize,
) -> Result<Option<Json>, Unreadable> {
    if !members.values().all(|member| fits(member, VALUE_DEPTH)) {
        return Ok(None);
    }
    // The name of the binding is none that a schema uses. Bound and not given as input, which would be text to parse.
    let expression = format!("$declared.({})", applied_to_context(expression).replace("$match(", "$groups("));
    let evaluated = panics::caught(|| {
        let arena = Bump::new();
        let ready = JsonAta::new(&expression, &arena).map_err(|_| Unreadable)?;
        ready.register_function("formatBase", 2, format_base);
        ready.register_function("groups", 2, groups);
        ready.assign_var("declared", object(members, &arena));
        let value = ready.evaluate_timeboxed(None, Some(DEPTH), Some(time.min(TIME)));
        Ok(value.ok().map(|value| value.serialize(false)))
    });
    let text = evaluated.unwrap_or(Ok(None))?;
    Ok(text.and_then(|text| serde_json::from_str(&text).ok()).filter(|value: &Json| !value.is_null()))
}

fn fits(value: &Json, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    match value {
        Json::String(text) => text.len() <= LONGEST_TEXT,
        Json::Array(items) => items.iter().all(|item| fits(item, depth)),
        Json::Object(members) => members.values().all(|member| fits(member, depth)),
        Json::Null | Json::Bool(_) | Json::Number(_) => true,
    }
}

fn object<'a>(members: &JsonMap<String, Json>, arena: &'a Bump) -> &'a mut Value<'a> {
    let object = Value::object_with_capacity(arena, members.len());
    for (name, member) in members {
        object.insert(name, value(member, arena));
    }
    object
}

fn value<'a>(json: &Json, arena: &'a Bump) -> &'a mut Value<'a> {
    match json {
        Json::Null => Value::null(arena),
        Json::Bool(flag) => arena.alloc(Value::Bool(*flag)),
        Json::Number(number) => Value::number(arena, number.as_f64().unwrap_or_default()),
        Json::String(text) => Value::string(arena, text),
        Json::Array(items) => {
            let array = Value::array_with_capacity(arena, items.len(), ArrayFlags::empty());
            items.iter().for_each(|item| array.push(value(item, arena)));
            array
        }
        Json::Object(members) => object(members, arena),
    }
}

/// The expression with the context as the first argument of functions that stand behind a dot: the language gives it to
/// them where an argument is missing (`.$pad(8)`), the evaluator does not.
fn applied_to_context(expression: &str) -> String {
    let mut plain = String::with_capacity(expression.len());
    let mut rest = expression;
    while let Some(start) = rest.find(".$") {
        let (before, call) = rest.split_at(start + ".$".len());
        plain.push_str(before);
        rest = call;
        let name_ends = call.find(|character: char| !character.is_ascii_alphanumeric()).unwrap_or(call.len());
        if let Some(arguments) = call[name_ends..].strip_prefix('(').filter(|_| name_ends > 0) {
            plain.push_str(&call[..=name_ends]);
            rest = arguments;
            if arguments.starts_with(')') {
                plain.push('$');
            } else if !arguments.starts_with("$,") && !arguments.starts_with("$)") {
                plain.push_str("$,");
            }
        }
    }
    plain + rest
}

/// `$match(text, pattern)`, of which the evaluator leaves out the groups that take no part, so that those behind them move
/// up. Here such a group is an empty text.
fn groups<'a>(context: FunctionContext<'a, '_>, arguments: &[&'a Value<'a>]) -> jsonata_rs::Result<&'a Value<'a>> {
    let (Some(Value::String(text)), Some(Value::Regex(pattern))) = (arguments.first(), arguments.get(1)) else {
        return Ok(Value::undefined());
    };
    let part = |range: std::ops::Range<usize>| text.as_str().get(range).unwrap_or_default();
    let arena = context.arena;
    let all = Value::array_with_capacity(arena, 1, ArrayFlags::empty());
    for (index, found) in pattern.get_regex().find_iter(text.as_str()).enumerate() {
        let groups = Value::array_with_capacity(arena, 4, ArrayFlags::empty());
        // The first group is the whole match.
        for group in found.groups().skip(1) {
            groups.push(Value::string(arena, group.map(part).unwrap_or_default()));
        }
        let object = Value::object_with_capacity(arena, 3);
        object.insert("match", Value::string(arena, part(found.range())));
        object.insert("index", Value::number(arena, index as f64));
        object.insert("groups", groups);
        all.push(object);
    }
    Ok(all)
}

/// `$formatBase(number, base)`, which the evaluator lacks: digits of whole numbers in a base from 2 to 36.
fn format_base<'a>(context: FunctionContext<'a, '_>, arguments: &[&'a Value<'a>]) -> jsonata_rs::Result<&'a Value<'a>> {
    let number = |index: usize| match arguments.get(index) {
        Some(Value::Number(number)) => Some(*number),
        _ => None,
    };
    let (Some(number), base) = (number(0), number(1).unwrap_or(10.0)) else { return Ok(Value::undefined()) };
    if !(2.0..=36.0).contains(&base) || number.abs() > crate::convert::EXACT {
        return Ok(Value::undefined());
    }
    let (mut left, base) = (number.round().abs() as u64, base as u32);
    let mut digits = Vec::new();
    loop {
        digits.extend(char::from_digit((left % u64::from(base)) as u32, base));
        left /= u64::from(base);
        if left == 0 {
            break;
        }
    }
    digits.extend((number < 0.0).then_some('-'));
    let text: String = digits.into_iter().rev().collect();
    Ok(Value::string(context.arena, &text))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(expression: &str, on: Json, expected: Option<Json>) {
        let members = on.as_object().cloned().unwrap_or_default();
        assert_eq!(evaluate(expression, &members), Ok(expected), "{expression} on {on}");
    }

    #[test]
    fn expressions_have_values() {
        check("$lowercase(Name)", json!({ "Name": "MyDB" }), Some(json!("mydb")));
        check("Name", json!({ "Name": "a \"b\"\n\\ é😀\u{0}" }), Some(json!("a \"b\"\n\\ é😀\u{0}")));
        check("Names", json!({ "Names": ["a"] }), Some(json!(["a"])));
        check("Names", json!({ "Names": [["a"], []] }), Some(json!([["a"], []])));
        check("A.B", json!({ "A": { "B": [{ "C": 1.5 }] } }), Some(json!([{ "C": 1.5 }])));
        check("A = null ? 1 : 2", json!({ "A": null }), Some(json!(1)));
        check("Missing", json!({}), None);
        check("null", json!({}), None);
        check("$number(A)", json!({ "A": "x" }), None);
        check("$unknownFunction(A)", json!({ "A": "x" }), None);
        assert_eq!(evaluate("$lowercase(", &JsonMap::new()), Err(Unreadable));
    }

    #[test]
    fn functions_behind_a_dot_take_the_context() {
        check("$split(A, \".\").$number()", json!({ "A": "10.2" }), Some(json!([10, 2])));
        check("A.$pad(-4, \"0\")", json!({ "A": "7" }), Some(json!("0007")));
        check("A.$formatBase($, 2)", json!({ "A": [5, 255] }), Some(json!(["101", "11111111"])));
        check("A.$string()", json!({ "A": 7 }), Some(json!("7")));
        check("$formatBase(A, 36)", json!({ "A": -35 }), Some(json!("-z")));
        check("$formatBase(A, 1)", json!({ "A": 5 }), None);
        check("$formatBase(A, 2)", json!({ "A": 1e300 }), None);
        check("\".$\" & A", json!({ "A": "x" }), Some(json!(".$x")));
    }

    #[test]
    fn evaluations_end_whatever_the_values_are() {
        let long = "a".repeat(LONGEST_TEXT + 1);
        check("$uppercase(A)", json!({ "A": long }), None);
        let deep = (0..VALUE_DEPTH).fold(json!("x"), |value, _| json!([value]));
        check("A", json!({ "A": deep }), None);
        check("($f := function($n) { $f($n + 1) }; $f(A))", json!({ "A": 1 }), None);
        check("$sum($map([0..9999999], function($i) { $i * A }))", json!({ "A": 1 }), None);
    }
}
