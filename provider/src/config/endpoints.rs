//! `endpoints`: where each AWS service is reached.
//!
//! The package schema types the key as a list of objects, stack configuration as one JSON object; both are read here.
//! Services without an entry follow the SDK's own rules (`AWS_ENDPOINT_URL_<SERVICE>`, `AWS_ENDPOINT_URL`, profile).

use std::collections::BTreeMap;

use value::{Map, Value};

use super::{ConfigError, parse::Reader};
use crate::suggest;

/// Endpoint URLs by lower-cased service identifier, for example `cloudcontrol`, `sts`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Endpoints(BTreeMap<String, String>);

impl Endpoints {
    /// The URL configured for `service` (lower case), if any.
    pub fn get(&self, service: &str) -> Option<&str> {
        self.0.get(service).map(String::as_str)
    }

    /// Reads both shapes; later list elements win over earlier ones.
    pub(super) fn read(reader: &Reader<'_>) -> Result<Self, ConfigError> {
        let mut endpoints = Self::default();
        match reader.compound("endpoints", "an object from service to URL, or a list of such objects")? {
            None => {}
            Some(Value::Object(object)) => endpoints.merge(&object)?,
            Some(Value::Array(items)) => {
                for item in &items {
                    match item.unsecret() {
                        Value::Object(object) => endpoints.merge(object)?,
                        Value::Null => {}
                        _ => return Err(shape("expected a list of objects from service to URL")),
                    }
                }
            }
            Some(_) => return Err(shape("expected an object from service to URL, or a list of such objects")),
        }
        Ok(endpoints)
    }

    fn merge(&mut self, object: &Map) -> Result<(), ConfigError> {
        for (service, url) in Reader::nested(object, "endpoints").entries() {
            match url {
                Value::Null => {}
                Value::String(url) if url.is_empty() => {}
                Value::String(url) => {
                    check_url(service, url)?;
                    self.0.insert(known(service)?, url.clone());
                }
                Value::Unknown(_) => return Err(ConfigError::Unknown { key: format!("endpoints.{service}") }),
                _ => return Err(shape(&format!("the URL of {service} must be text"))),
            }
        }
        Ok(())
    }
}

/// Services whose endpoints this provider looks at, by SDK identifier.
const SERVICES: [&str; 7] = ["cloudcontrol", "cloudformation", "ec2", "lambda", "s3", "ssm", "sts"];

/// The service under its SDK identifier. Others are ignored, since people share one list of endpoints among tools; a name
/// that is almost one of ours is refused, because ignoring it would send the requests to AWS.
fn known(service: &str) -> Result<String, ConfigError> {
    let lower = service.to_lowercase();
    if lower == "cloudcontrolapi" {
        return Ok("cloudcontrol".to_owned());
    }
    // Short names are near each other without being meant: `sns` is no `sts`.
    let long = SERVICES.into_iter().filter(|name| name.len() > 4 && *name != lower);
    match suggest::closest(&lower, long) {
        Some(meant) if !SERVICES.contains(&lower.as_str()) => {
            Err(shape(&format!("unknown service {service:?}; did you mean {meant:?}?")))
        }
        _ => Ok(lower),
    }
}

/// The URL as it may be shown: without a user and password in it.
pub fn shown_url(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("//") else { return url.to_owned() };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    match rest[..end].rfind('@') {
        Some(at) => format!("{scheme}//…{}", &rest[at..]),
        None => url.to_owned(),
    }
}

/// Refuses a URL that no request can be sent to: without a scheme that we speak, a host, a port that there is.
fn check_url(service: &str, url: &str) -> Result<(), ConfigError> {
    let Some(rest) = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://")) else {
        return Err(shape(&format!("the URL of {service}, {:?}, must start with http:// or https://", shown_url(url))));
    };
    let wrong = |what: &str| Err(shape(&format!("the URL of {service}, {:?}, {what}", shown_url(url))));
    if !url.bytes().all(|byte| byte.is_ascii_graphic()) {
        return wrong("has a character that no URL has");
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let place = authority.rsplit('@').next().unwrap_or_default();
    let (host, port) = match place.strip_prefix('[') {
        Some(address) => address.split_once(']').unwrap_or_default(),
        None => place.split_at(place.find(':').unwrap_or(place.len())),
    };
    match port.strip_prefix(':') {
        _ if host.is_empty() => wrong("has no host"),
        None if port.is_empty() => Ok(()),
        Some(port) if port.is_empty() || port.parse::<u16>().is_ok() => Ok(()),
        _ => wrong("has no port from 0 to 65535"),
    }
}

fn shape(reason: &str) -> ConfigError {
    ConfigError::Shape { key: "endpoints".to_owned(), reason: reason.to_owned() }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a failed unwrap is the test's failure
    use super::*;

    fn read(json: &str, as_text: bool) -> Result<Endpoints, String> {
        let value = if as_text {
            Value::String(json.to_owned())
        } else {
            value::json::from_json(&serde_json::from_str(json).unwrap())
        };
        let values = Map::from([("endpoints".to_owned(), value)]);
        Endpoints::read(&Reader::new(&values)).map_err(|error| error.to_string())
    }

    #[test]
    fn passwords_in_urls_are_not_repeated() {
        for url in ["htp://u:canary@host", "http://u:canary@", "https://u:canary@/x@y"] {
            let error = read(&format!(r#"{{"sts":"{url}"}}"#), true).unwrap_err();
            assert!(!error.contains("canary") && error.contains("//…@"), "{error}");
        }
    }

    #[test]
    fn both_shapes_typed_and_as_text() {
        for json in [
            r#"{"STS":"http://a","cloudcontrol":"http://b","ssm":""}"#,
            r#"[{"sts":"http://x"},{"Sts":"http://a","ssm":null},{"cloudControl":"http://b"}]"#,
        ] {
            for as_text in [true, false] {
                let found = read(json, as_text).unwrap();
                assert_eq!(found.get("sts"), Some("http://a"), "{json}");
                assert_eq!(found.get("cloudcontrol"), Some("http://b"), "{json}");
                assert_eq!(found.get("ssm"), None, "{json}");
            }
        }
        assert_eq!(read("null", true).unwrap(), Endpoints::default());
    }

    #[test]
    fn endpoints_of_other_services_are_nobodys_business() {
        let found =
            read(r#"{"sns":"http://a","dynamodb":"http://b","cloudcontrolapi":"http://[::1]:8"}"#, true).unwrap();
        assert_eq!(found.get("sts"), None);
        assert_eq!(found.get("cloudcontrol"), Some("http://[::1]:8"));
    }

    #[test]
    fn wrong_shapes_are_named() {
        for (json, expected) in [
            ("7", "expected an object from service to URL, or a list of such objects"),
            ("[7]", "expected a list of objects from service to URL"),
            (r#"{"sts":7}"#, "the URL of sts must be text"),
            (r#"{"sts":"http://"}"#, "the URL of sts, \"http://\", has no host"),
            (r#"{"sts":"http://host:port"}"#, "the URL of sts, \"http://host:port\", has no port from 0 to 65535"),
            (r#"{"sts":"http://[::1]:99999"}"#, "the URL of sts, \"http://[::1]:99999\", has no port from 0 to 65535"),
            (r#"{"sts":"http://[::1]x"}"#, "the URL of sts, \"http://[::1]x\", has no port from 0 to 65535"),
            (r#"{"sts":"http://host/a b"}"#, "the URL of sts, \"http://host/a b\", has a character that no URL has"),
            (r#"{"sts":"http://[::1"}"#, "the URL of sts, \"http://[::1\", has no host"),
            (r#"{"clodcontrol":"http://a"}"#, "unknown service \"clodcontrol\"; did you mean \"cloudcontrol\"?"),
            (r#"{"sts":"host:1"}"#, "the URL of sts, \"host:1\", must start with http:// or https://"),
        ] {
            let expected = format!("failed to unmarshal 'endpoints' config: {expected}");
            assert_eq!(read(json, true).unwrap_err(), expected, "{json}");
        }
    }
}
