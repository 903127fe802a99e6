//! What a client does, and what it believes.

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::{Result, bail};
use serde_json::{Value as Json, json};

use super::calls::PATIENCE;
use super::kind::{KINDS, Kind};

/// The most resources that one client holds.
const MOST_HELD: usize = 25;

/// One client and what it believes.
pub(super) struct Client {
    pub(super) agent: ureq::Agent,
    pub(super) url: String,
    pub(super) index: u64,
    pub(super) random: u64,
    /// Counts names and tokens.
    pub(super) drawn: u64,
    /// By identifier: the kind, and the value of its property.
    pub(super) held: BTreeMap<String, (usize, Json)>,
    pub(super) operations: usize,
    pub(super) repeated: usize,
    pub(super) remnants: usize,
}

impl Client {
    pub(super) fn new(url: &str, seed: u64, index: u64) -> Self {
        let agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        Self {
            agent,
            url: url.to_owned(),
            index,
            random: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(index + 1),
            drawn: 0,
            held: BTreeMap::new(),
            operations: 0,
            repeated: 0,
            remnants: 0,
        }
    }

    /// The next number of a linear congruential generator; its upper half is random enough for choices.
    fn draw(&mut self, below: u64) -> u64 {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 33) % below.max(1)
    }

    pub(super) fn work(mut self, until: Instant) -> Result<Self> {
        while Instant::now() < until {
            let at = self.draw(self.held.len() as u64) as usize;
            let known = self.held.iter().nth(at).map(|(identifier, (kind, _))| (identifier.clone(), *kind));
            match (self.draw(10), known) {
                (0..=4, Some(_)) | (_, None) if self.held.len() < MOST_HELD => self.create()?,
                (0..=7, Some((identifier, kind))) => self.update(&identifier, kind)?,
                (_, Some((identifier, kind))) => self.delete(&identifier, kind)?,
                (_, None) => {}
            }
        }
        Ok(self)
    }

    fn create(&mut self) -> Result<()> {
        self.drawn += 1;
        let kind = self.draw(KINDS.len() as u64) as usize;
        let draw = self.draw(1_000_000);
        let Kind { type_name, name, property, rest, value } = &KINDS[kind];
        let value = value(draw);
        let mut desired = rest();
        desired[*name] = json!(format!("soak-{}-{}", self.index, self.drawn));
        desired[*property] = value.clone();
        let body = json!({"TypeName": type_name, "DesiredState": desired.to_string()});
        for _ in 0..PATIENCE {
            let event = self.begin("CreateResource", &body)?;
            match (event["OperationStatus"].as_str(), event["ErrorCode"].as_str(), event["Identifier"].as_str()) {
                (Some("SUCCESS"), _, Some(identifier)) => {
                    self.read(type_name, identifier)?;
                    self.held.insert(identifier.to_owned(), (kind, value));
                    self.operations += 1;
                    return Ok(());
                }
                (_, Some("NotStabilized"), Some(identifier)) => {
                    self.remnants += 1;
                    self.remove(type_name, identifier)?;
                }
                (_, Some("ServiceInternalError" | "Throttling"), _) => {}
                other => bail!("a create of {type_name} ended with {other:?}: {event}"),
            }
            self.repeated += 1;
        }
        bail!("a create of {type_name} does not come to an end")
    }

    fn update(&mut self, identifier: &str, kind: usize) -> Result<()> {
        let draw = self.draw(1_000_000);
        let Kind { type_name, property, value, .. } = &KINDS[kind];
        let value = value(draw);
        let patch = json!([{"op": "add", "path": format!("/{property}"), "value": value}]).to_string();
        let body = json!({"TypeName": type_name, "Identifier": identifier, "PatchDocument": patch});
        for _ in 0..PATIENCE {
            let event = self.begin("UpdateResource", &body)?;
            match (event["OperationStatus"].as_str(), event["ErrorCode"].as_str()) {
                (Some("SUCCESS"), _) => {
                    self.held.insert(identifier.to_owned(), (kind, value));
                    self.operations += 1;
                    return Ok(());
                }
                (_, Some("ServiceInternalError" | "Throttling")) => self.repeated += 1,
                other => bail!("an update of {type_name} {identifier} ended with {other:?}: {event}"),
            }
        }
        bail!("an update of {type_name} does not come to an end")
    }

    fn delete(&mut self, identifier: &str, kind: usize) -> Result<()> {
        self.remove(KINDS[kind].type_name, identifier)?;
        self.held.remove(identifier);
        self.operations += 1;
        Ok(())
    }

    fn remove(&mut self, type_name: &str, identifier: &str) -> Result<()> {
        let body = json!({"TypeName": type_name, "Identifier": identifier});
        for _ in 0..PATIENCE {
            let event = self.begin("DeleteResource", &body)?;
            match (event["OperationStatus"].as_str(), event["ErrorCode"].as_str()) {
                (Some("SUCCESS"), _) | (_, Some("NotFound")) => return Ok(()),
                (_, Some("ServiceInternalError" | "Throttling")) => self.repeated += 1,
                other => bail!("a delete of {type_name} {identifier} ended with {other:?}: {event}"),
            }
        }
        bail!("a delete of {type_name} does not come to an end")
    }
}
