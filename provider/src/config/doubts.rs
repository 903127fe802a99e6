//! What is worth a warning in the inputs of a provider: it may be used, but hardly means what it says.

use value::Map;

use super::form;
use super::guard::is_account;
use super::parse::Reader;
use super::{keys, tags};
use crate::suggest;

/// The members of compound keys that are read leniently. A stack's configuration is not typed, so that nobody else
/// notices a slip in one.
const MEMBERS: [(&str, &[&str]); 3] = [
    (
        "assumeRole",
        &[
            "durationSeconds",
            "externalId",
            "policy",
            "policyArns",
            "roleArn",
            "sessionName",
            "sourceIdentity",
            "tags",
            "transitiveTagKeys",
        ],
    ),
    (
        "assumeRoleWithWebIdentity",
        &[
            "durationSeconds",
            "policy",
            "policyArns",
            "roleArn",
            "sessionName",
            "webIdentityToken",
            "webIdentityTokenFile",
        ],
    ),
    ("autoNaming", &["autoTrim", "randomSuffixMinLength"]),
];

/// All warnings. Values of a wrong shape are left to Configure, which names them.
pub fn warnings(news: &Map) -> Vec<String> {
    let reader = Reader::new(news);
    let mut warnings = tags::warnings(news);
    for (key, known) in MEMBERS {
        let Ok(objects) = reader.objects(key) else { continue };
        let names = objects.iter().flat_map(Map::keys);
        let strangers = names.filter(|name| !known.contains(&name.as_str()) && !keys::is_engine_key(name));
        warnings.extend(strangers.map(|name| match suggest::closest(name, known.iter().copied()) {
            Some(meant) => format!("{key}: unknown member {name:?} is not read; did you mean {meant:?}?"),
            None => format!("{key}: unknown member {name:?} is not read; known are {}", known.join(", ")),
        }));
    }
    for key in ["allowedAccountIds", "forbiddenAccountIds"] {
        let Ok(Some(accounts)) = reader.strings(key) else { continue };
        let strangers = accounts.into_iter().filter(|account| !is_account(account));
        warnings.extend(strangers.map(|text| {
            format!(
                "{key}: {text:?} is no account number, so that it matches none; write 12 digits, as \"123456789012\""
            )
        }));
    }
    // Who says where services are may call the region as it is called there.
    let told_where = reader.compound("endpoints", "").is_ok_and(|endpoints| endpoints.is_some());
    if let Ok(Some(region)) = reader.text("region")
        && !told_where
        && !reader.is_secret("region")
        && let Some(doubt) = form::region(&region)
    {
        warnings.push(format!("region: {:?} {doubt}", region.trim()));
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;
    use value::Value;

    #[test]
    fn what_is_not_read_is_told() {
        for (key, json, expected) in [
            ("assumeRole", r#"{"roleArn":"arn:aws:iam::111122223333:role/x","durationSeconds":900}"#, &[][..]),
            (
                "assumeRole",
                r#"{"roleArn":"arn:aws:iam::111122223333:role/x","externalID":"e"}"#,
                &[r#"assumeRole: unknown member "externalID" is not read; did you mean "externalId"?"#],
            ),
            (
                "assumeRole",
                r#"[{"roleArn":"arn:aws:iam::111122223333:role/x"},{"sourceIdentiti":"e"}]"#,
                &[r#"assumeRole: unknown member "sourceIdentiti" is not read; did you mean "sourceIdentity"?"#],
            ),
            (
                "assumeRoleWithWebIdentity",
                r#"{"webIdentityTokenfile":"t"}"#,
                &[
                    r#"assumeRoleWithWebIdentity: unknown member "webIdentityTokenfile" is not read; did you mean "webIdentityTokenFile"?"#,
                ],
            ),
            (
                "autoNaming",
                r#"{"zz":1}"#,
                &[r#"autoNaming: unknown member "zz" is not read; known are autoTrim, randomSuffixMinLength"#],
            ),
            ("autoNaming", "[", &[]),
            ("allowedAccountIds", r#"["111122223333",11122223333]"#, &[]),
            (
                "forbiddenAccountIds",
                r#"["1111-2222-3333"]"#,
                &[
                    r#"forbiddenAccountIds: "1111-2222-3333" is no account number, so that it matches none; write 12 digits, as "123456789012""#,
                ],
            ),
            ("region", "eu-west-1", &[]),
            (
                "region",
                "us-east-1a",
                &[r#"region: "us-east-1a" is a zone of the region us-east-1, which belongs here"#],
            ),
        ] {
            let news = Map::from([(key.to_owned(), Value::from(json))]);
            assert_eq!(warnings(&news), expected, "{key} {json}");
        }
        let elsewhere = [("region", "local"), ("endpoints", r#"{"cloudcontrol":"http://host"}"#)];
        let news = elsewhere.map(|(key, text)| (key.to_owned(), Value::from(text))).into();
        assert_eq!(warnings(&news), [""; 0]);
    }
}
