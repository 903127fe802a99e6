//! Filling in the placeholders of a template.
//!
//! | placeholder | what stands for it |
//! |---|---|
//! | `{Name}`, `{ref:Endpoint/Address}` | a property of the model, by name or by path |
//! | `{Name\|x}` | a property, or `x` |
//! | `{/Name}` | a property with exactly one leading slash |
//! | `{?Name}` | nothing, but the property must be there |
//! | `{last:Path}` | what follows the last `/` or `:` of a property |
//! | `{after:MARK:Path}` | what follows the first `MARK` of a property |
//! | `{lowered:Path}`, `{dashed:Path}` | a property in lower case, with dashes for dots |
//! | `{count:Path}` | the number of its elements |
//! | `{partition}`, `{region}`, `{account}`, `{suffix}` | where the resource is; `suffix` ends domain names |
//! | `{code}`, `{zone}`, `{zone-id:Path}` | the region's short form, one of its zones, the id of the zone named by a property |
//! | `{table:NAME}` | the region's value in a table of `regions.yaml` |
//! | `{label}`, `{epoch}` | the time, without zone and in seconds |
//! | `{hex:17}`, `{upperhex:32}`, `{lower:12}`, `{upper:20}`, `{digits:10}`, `{byte}`, `{uuid}` | drawn |
//! | `{same:lower:26}` | drawn once for the resource: the same in all its templates |
//! | `{shared:lower:12}` | drawn once for the service in the account and region |

use super::context::Context;
use crate::entropy::Entropy;
use crate::overrides::regions;
use serde_json::Value;

impl Context<'_> {
    /// Fills in a template; `None` when it names something that the model or the region lacks.
    pub(crate) fn fill(&self, template: &str, model: &Value, entropy: &mut Entropy) -> Option<String> {
        let mut text = String::new();
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            let (placeholder, after) = after.split_once('}')?;
            text.push_str(before);
            text.push_str(&self.placeholder(placeholder, model, entropy)?);
            rest = after;
        }
        text.push_str(rest);
        Some(text)
    }

    fn placeholder(&self, placeholder: &str, model: &Value, entropy: &mut Entropy) -> Option<String> {
        if let Some(name) = placeholder.strip_prefix('?') {
            return at(model, name.strip_prefix("ref:").unwrap_or(name)).map(|_| String::new());
        }
        if let Some(name) = placeholder.strip_prefix('/') {
            return plain(at(model, name)?).map(|text| format!("/{}", text.trim_start_matches('/')));
        }
        if let Some((name, substitute)) = placeholder.split_once('|') {
            return Some(self.placeholder(name, model, entropy).unwrap_or_else(|| substitute.to_owned()));
        }
        if let Some((what, of)) = placeholder.split_once(':') {
            return match what {
                "ref" => plain(at(model, of)?),
                "last" => plain(at(model, of)?).map(|text| last(&text).to_owned()),
                "after" => {
                    let (mark, path) = of.rsplit_once(':')?;
                    plain(at(model, path)?)?.split_once(mark).map(|(_, text)| text.to_owned())
                }
                "dashed" => plain(at(model, of)?).map(|text| text.replace('.', "-")),
                "lowered" => plain(at(model, of)?).map(|text| text.to_lowercase()),
                "count" => Some(at(model, of)?.as_array()?.len().to_string()),
                "table" => self.knowledge.of_region(of, &self.scope.region).map(str::to_owned),
                "zone-id" => self.zone_id(&plain(at(model, of)?)?),
                "same" | "shared" => {
                    let (alphabet, length) = of.split_once(':')?;
                    let own = || self.entropy.within("same").within(of);
                    let mut entropy = if what == "same" { own() } else { self.shared(self.namespace) };
                    drawn(&mut entropy, alphabet, length)
                }
                _ => drawn(entropy, what, of),
            };
        }
        match placeholder {
            "partition" => Some(self.scope.partition().to_owned()),
            "region" => Some(self.scope.region.to_string()),
            "account" => Some(self.scope.account.to_string()),
            "suffix" => Some(self.scope.suffix().to_owned()),
            "code" => Some(regions::code(&self.scope.region)),
            "zone" => self.zone(entropy),
            "label" => Some(self.time_text().trim_end_matches('Z').to_owned()),
            "byte" => Some(entropy.below(256).to_string()),
            "epoch" => Some(self.epoch().to_string()),
            "uuid" => Some(entropy.uuid()),
            name => plain(at(model, name)?),
        }
    }

    fn zone(&self, entropy: &mut Entropy) -> Option<String> {
        let zones = self.knowledge.regions.zones(&self.scope.region);
        zones.get(entropy.below(zones.len())).map(|zone| zone.name.clone())
    }

    fn zone_id(&self, name: &str) -> Option<String> {
        let zones = self.knowledge.regions.zones(&self.scope.region);
        zones.into_iter().find(|zone| zone.name == name).map(|zone| zone.id)
    }
}

/// Whether a template makes the same text every time: nothing in it is drawn or of the time.
pub(super) fn is_fixed(template: &str) -> bool {
    const MOVING: [&str; 11] = [
        "{hex:",
        "{upperhex:",
        "{lower:",
        "{upper:",
        "{digits:",
        "{same:",
        "{byte}",
        "{uuid}",
        "{zone}",
        "{label}",
        "{epoch}",
    ];
    !MOVING.iter().any(|moving| template.contains(moving))
}

/// The value at a path of names and indexes.
fn at<'m>(model: &'m Value, path: &str) -> Option<&'m Value> {
    model.pointer(&format!("/{path}"))
}

/// A scalar as text.
pub(super) fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// What follows the last `/` or `:`.
pub(super) fn last(text: &str) -> &str {
    text.rsplit(['/', ':']).next().unwrap_or(text)
}

fn drawn(entropy: &mut Entropy, alphabet: &str, length: &str) -> Option<String> {
    let length = length.parse().ok()?;
    match alphabet {
        "hex" => Some(entropy.hex(length)),
        "upperhex" => Some(entropy.hex(length).to_uppercase()),
        "lower" => Some(entropy.lower(length)),
        "upper" => Some(entropy.upper(length)),
        "digits" => Some(entropy.digits(length)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::*;
    use crate::overrides::Knowledge;
    use crate::scope::Scope;
    use serde_json::json;
    use std::time::{Duration, SystemTime};

    #[test]
    fn placeholders_are_filled_in() {
        let (knowledge, scope) = (Knowledge::load().unwrap(), Scope::new("123456789012", "us-west-1"));
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(951_782_400);
        let context = Context::new(&knowledge, &scope, "AWS::RDS::DBInstance", (1, &Value::Null, 0), now);
        let model = json!({"Name": "Nest", "Port": 5, "Endpoint": {"Address": "a.b"}, "Path": "p", "Items": [1, 2],
            "Arn": "arn:aws:x:::kind/own", "Zone": "us-west-1c", "Flag": true});
        let check = |template: &str, expected: Option<&str>| {
            let filled = context.fill(template, &model, &mut Entropy::new(&["t"]));
            assert_eq!(filled.as_deref(), expected, "{template}");
        };
        for (template, expected) in [
            ("{Name}:{Port}:{Flag}", Some("Nest:5:true")),
            ("{Items}", None),
            ("{ref:Endpoint/Address}", Some("a.b")),
            ("{ref:Endpoint/Port}", None),
            ("{ref:Items/1}", Some("2")),
            ("{Other|x}{ref:Endpoint/Port|-1}", Some("x-1")),
            ("{/Path}{?Name}", Some("/p")),
            ("{?ref:Endpoint/Port}x", None),
            ("{last:Arn} {lowered:Name} {count:Items}", Some("own nest 2")),
            ("{after:x:::Arn} {after:none:Arn}", None),
            ("{after:kind/:Arn} {dashed:ref}", None),
            ("{after:aws:x::Arn}{dashed:Zone}", Some("::kind/ownus-west-1c")),
            ("{partition} {region} {account} {suffix} {code}", Some("aws us-west-1 123456789012 amazonaws.com usw1")),
            ("{zone-id:Zone}", Some("usw1-az3")),
            ("{zone-id:Name}", None),
            ("{table:s3-website}", Some("s3-website-us-west-1")),
            ("{table:none}", None),
            ("{label} {epoch}", Some("2000-02-29T00:00:00.000 951782400")),
        ] {
            check(template, expected);
        }
        let filled = |template: &str| context.fill(template, &model, &mut Entropy::new(&["t"])).unwrap();
        assert_eq!(filled("{hex:17}{lower:2}{upper:2}{digits:3}").len(), 24);
        assert!(filled("{zone}").starts_with("us-west-1"));
        assert_eq!(filled("{shared:lower:12}"), filled("{shared:lower:12}{?Name}"));
        assert_eq!(filled("{same:upperhex:8}"), filled("{same:upperhex:8}{?Name}"));
        assert!(filled("{byte}").parse::<u8>().is_ok());
        assert!(is_fixed("{Name}{shared:lower:3}") && !is_fixed("{Name}{hex:3}"));
    }
}
