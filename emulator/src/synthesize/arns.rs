//! The ARN of a resource, in the form that the service authorization reference prints for its type.
//!
//! A placeholder there is that page's word for a name or an id: `${DbInstanceName}` is the `DBInstanceIdentifier` of the
//! type. It is looked for in the model by that word, then by what else the word may be called, then by its place among the
//! parts of the identifier. An id that no property holds is drawn.

use super::generate::Generator;
use super::placeholders::{last, plain};
use crate::entropy::Entropy;
use crate::schema::InstancePath;
use serde_json::{Map, Value};

/// The ARN of the resource, `None` for another ARN, a type without a form, and a form that the schema refuses.
pub(super) fn own(generator: &Generator<'_>, path: &InstancePath, model: &Value) -> Option<Value> {
    let resource = generator.resource;
    let is_identifier = resource.primary_identifier.iter().any(|part| part.segments() == path.segments());
    if path.segments().len() != 1 || !is_own(generator.context.kind, path.short_name(), is_identifier) {
        return None;
    }
    let template = generator.context.knowledge.arn(&resource.name)?.text();
    let members = model.as_object()?;
    let node = resource.node(path);
    let entropy = generator.context.entropy.within("own id");
    let candidates = FORMS.iter().filter_map(|form| fill(generator, template, members, form(&mut entropy.clone())));
    candidates.map(Value::String).find(|arn| node.is_none_or(|node| generator.validator.accepts(node, arn)))
}

/// Ids of the usual forms.
const FORMS: [fn(&mut Entropy) -> String; 7] = [
    |entropy| entropy.uuid(),
    |entropy| entropy.lower(20),
    |entropy| entropy.hex(32),
    |entropy| entropy.lower(10),
    |entropy| entropy.upper(20),
    |entropy| entropy.hex(17),
    |entropy| entropy.digits(12),
];

/// Whether a property of this name is the ARN of the resource itself: `Arn`, `TopicArn` of a topic, `RuleArn` of an
/// automation rule, `DBClusterSnapshotArn` of a cluster snapshot; any ARN that identifies it.
fn is_own(kind: &str, property: &str, is_identifier: bool) -> bool {
    let (kind, property) = (kind.to_ascii_lowercase(), property.to_ascii_lowercase());
    let Some(stem) = property.strip_suffix("arn") else { return false };
    let kind = kind.strip_suffix("v2").or_else(|| kind.strip_suffix("custom")).unwrap_or(&kind);
    let is_named = stem.is_empty() || stem == "resource" || kind.ends_with(stem) || stem.ends_with(kind);
    // What is executed or invoked has an ARN of its own.
    is_identifier || (is_named && !stem.starts_with("execute"))
}

/// Fills in a form; `drawn` stands for an id that no property holds.
fn fill(generator: &Generator<'_>, template: &str, members: &Map<String, Value>, drawn: String) -> Option<String> {
    let scope = generator.context.scope;
    let words = words(template);
    let mut index = 0;
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (word, after) = after.split_once('}')?;
        text.push_str(before);
        match word {
            "partition" => text.push_str(scope.partition()),
            "region" => text.push_str(&scope.region),
            "account" => text.push_str(&scope.account),
            word => {
                let asked = Asked { word, index, of: words.len() };
                text.push_str(&segment(generator, members, &asked).unwrap_or_else(|| drawn.clone()));
                index += 1;
            }
        }
        rest = after;
    }
    text.push_str(rest);
    Some(text)
}

/// The placeholders of a form that stand for names and ids.
fn words(template: &str) -> Vec<&str> {
    let placeholders = template.split('{').skip(1).filter_map(|part| part.split_once('}'));
    placeholders.map(|(word, _)| word).filter(|word| !["partition", "region", "account"].contains(word)).collect()
}

/// The word that names the resource itself where it is a name, which the service makes when nobody chose one.
pub(super) fn name_word(template: &str) -> Option<&str> {
    words(template).last().copied().filter(|word| word.ends_with("Name"))
}

/// One placeholder and its place among the others.
struct Asked<'a> {
    word: &'a str,
    index: usize,
    of: usize,
}

/// What a word stands for in the model; `None` when it must be drawn.
fn segment(generator: &Generator<'_>, members: &Map<String, Value>, asked: &Asked<'_>) -> Option<String> {
    let property = |name: &str| {
        let value = members.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)?;
        let text = plain(value).filter(|text| !text.is_empty())?;
        // What identifies a parent may be its ARN; the form wants its name.
        Some(if text.starts_with("arn:") { last(&text).to_owned() } else { text })
    };
    let word = asked.word;
    let kind = generator.context.kind;
    if let Some(stem) = word.strip_suffix("NameWithPath") {
        let name = property(&format!("{stem}Name")).unwrap_or_else(|| generator.own_name.clone());
        let path = property("Path").unwrap_or_default();
        return Some(format!("{}{name}", path.trim_start_matches('/')));
    }
    if let Some(word) = word.strip_suffix("WithoutLeadingSlash") {
        let name = property(word).or_else(|| property("Name")).unwrap_or_else(|| generator.own_name.clone());
        return Some(name.trim_start_matches('/').to_owned());
    }
    let stem = ["Identifier", "Name", "Id"].iter().find_map(|ending| word.strip_suffix(ending)).unwrap_or(word);
    let by_word = || {
        let others = ["Name", "Id", "Identifier", "Arn", ""].map(|ending| format!("{stem}{ending}"));
        property(word).or_else(|| others.iter().find_map(|name| property(name)))
    };
    let parts = &generator.resource.primary_identifier;
    let by_place = || {
        let part = parts.get(asked.index).filter(|part| parts.len() == asked.of && part.segments().len() == 1)?;
        // An ARN among the parts is what is being made.
        property(part.short_name()).filter(|_| !part.short_name().to_ascii_lowercase().ends_with("arn"))
    };
    let is_own = asked.index + 1 == asked.of;
    let own = || {
        let endings: &[&str] = if word.ends_with("Name") { &["Name"] } else { &["Id", "Identifier"] };
        let of_kind = endings.iter().flat_map(|ending| [format!("{kind}{ending}"), (*ending).to_owned()]);
        of_kind.into_iter().find_map(|name| property(&name))
    };
    let by_word = || by_word().filter(|_| !stem.is_empty() || !word.ends_with("Name"));
    if stem.is_empty() || word == "ResourceId" || word == "ResourcePath" {
        return own().or_else(by_place).or_else(|| named(generator, word));
    }
    by_word().or_else(by_place).or_else(|| is_own.then(|| own().or_else(|| named(generator, word))).flatten())
}

/// The resource's own name, for words that want a name; an id is its own name only where it identifies the resource.
fn named(generator: &Generator<'_>, word: &str) -> Option<String> {
    let is_identifying = generator.resource.primary_identifier.iter().any(|part| {
        let name = part.short_name().to_ascii_lowercase();
        !name.ends_with("arn")
    });
    (word.ends_with("Name") || is_identifying).then(|| generator.own_name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_arns_are_told_from_others() {
        for (kind, property, is_identifier, expected) in [
            ("Topic", "TopicArn", false, true),
            ("Queue", "Arn", false, true),
            ("AutomationRule", "RuleArn", false, true),
            ("ConnectorV2", "ConnectorArn", false, true),
            ("ClusterSnapshot", "DBClusterSnapshotArn", false, true),
            ("Runtime", "AgentRuntimeArn", false, true),
            ("Api", "ExecuteApiArn", false, false),
            ("Cluster", "MasterPasswordSecretArn", false, false),
            ("Monitor", "AnyArn", true, true),
            ("Queue", "Url", true, true),
        ] {
            let is_arn = property.ends_with("Arn");
            assert_eq!(is_own(kind, property, is_identifier), expected && is_arn, "{kind} {property}");
        }
    }

    #[test]
    fn words_of_forms() {
        let form = "arn:{partition}:x:{region}:{account}:a/{ApiId}/stage/{StageName}";
        assert_eq!(words(form), ["ApiId", "StageName"]);
        assert_eq!((name_word(form), name_word("arn:{partition}:x:::{Id}")), (Some("StageName"), None));
    }
}
