//! The functions on texts, some of them with regular expressions.

use super::Arguments;
use crate::transform::held::{Evaluated, Held, number};
use crate::transform::regex::{Found, Regex};
use serde_json::{Value, json};

/// Matches that one call may make.
const MATCHES: usize = 10_000;

/// The functions whose first argument is a text. `regex` is the second argument when it is a regular expression.
pub(super) fn of_text<'e>(arguments: &Arguments<'_, 'e>, text: &str, regex: Option<&Regex>) -> Evaluated<'e> {
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

/// Texts with a separator between them.
pub(super) fn join<'e>(arguments: &Arguments<'_, 'e>) -> Evaluated<'e> {
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
