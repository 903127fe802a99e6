//! Rules of misbehavior while an emulator runs, and requests driven by hand.

use super::{Admin, AdminError, RequestView};
use crate::faults::{Rule, RuleId, replay, vain};
use crate::handler_error::HandlerErrorCode;
use crate::life;
use crate::store::Status;
use serde::Serialize;
use serde_json::Value;

/// A rule in force.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RuleView {
    /// What logs call it.
    pub id: RuleId,
    /// The rule.
    #[serde(flatten)]
    pub rule: Rule,
    /// Whether it came with the profile or the options.
    #[serde(rename = "ofProfile")]
    pub is_of_profile: bool,
    /// How many calls it was about, chance and turn aside.
    pub matched: u64,
    /// How often it fired.
    pub fired: u64,
}

/// How a request goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Drive {
    /// It ends well, now.
    Complete,
    /// It fails, now, with this code and text; the default text of the code without one.
    Fail(HandlerErrorCode, Option<String>),
    /// It is not stuck any more and goes on as planned.
    Release,
}

impl Admin {
    /// Puts a rule in force, after the others.
    ///
    /// # Errors
    ///
    /// [`AdminError::Taken`] when there is one of its name; [`AdminError::Invalid`] when it cannot be followed.
    pub fn add_rule(&self, rule: Rule) -> Result<RuleId, AdminError> {
        self.add_rules(vec![rule]).map(|ids| ids.into_iter().next().unwrap_or_else(|| RuleId::new("")))
    }

    /// Puts rules in force; all of them or, when one cannot be, none.
    ///
    /// # Errors
    ///
    /// As [`Admin::add_rule`].
    pub fn add_rules(&self, rules: Vec<Rule>) -> Result<Vec<RuleId>, AdminError> {
        for (index, rule) in rules.iter().enumerate() {
            let name = || rule.id.clone().unwrap_or_else(|| format!("number {}", index + 1));
            rule.check().map_err(|reason| AdminError::Invalid { reason: format!("rule {}: {reason}", name()) })?;
        }
        let mut txn = self.core.txn();
        let now = txn.now_ms();
        let mut added = Vec::new();
        for rule in rules {
            match txn.rules().add(rule, now) {
                Ok(id) => added.push(id),
                Err(reason) => {
                    added.iter().for_each(|id| {
                        txn.rules().remove(Some(id));
                    });
                    return Err(AdminError::Taken { reason });
                }
            }
        }
        txn.keep_rules();
        // Whatever an earlier rule of the same name has counted is over.
        added.iter().for_each(|id| txn.count_rule(id));
        Ok(added)
    }

    /// Why rules could never fire on what is served, for those that could not: a type that is not there, or an action that
    /// means nothing for its operations. One without a name is called by its place, counted from 1.
    pub fn vain_rules(&self, rules: &[Rule]) -> Vec<String> {
        let names: Vec<String> =
            (1..).zip(rules).map(|(place, rule)| rule.id.clone().unwrap_or_else(|| format!("{place}"))).collect();
        let named = names.iter().map(String::as_str).zip(rules);
        vain::warnings(&self.core.library(), named)
    }

    /// The rules in force, in the order in which they are asked.
    pub fn rules(&self) -> Vec<RuleView> {
        let mut txn = self.core.txn();
        let all = txn.rules().all().iter().map(|active| RuleView {
            id: active.id.clone(),
            rule: active.rule.clone(),
            is_of_profile: active.is_of_profile,
            matched: active.count.matched,
            fired: active.count.fired,
        });
        all.collect()
    }

    /// Takes a rule away, or all, and says how many went.
    pub fn remove_rules(&self, id: Option<&RuleId>) -> usize {
        let mut txn = self.core.txn();
        let before: Vec<RuleId> = txn.rules().all().iter().map(|active| active.id.clone()).collect();
        let removed = txn.rules().remove(id);
        if removed > 0 {
            txn.keep_rules();
            before.iter().for_each(|id| txn.count_rule(id));
        }
        removed
    }

    /// Puts rules in force that fire exactly what entries of a call log say was decided.
    ///
    /// # Errors
    ///
    /// [`AdminError::Invalid`] for entries that cannot be read; else as [`Admin::add_rules`].
    pub fn replay(&self, entries: &[Value]) -> Result<Vec<RuleId>, AdminError> {
        let rules = replay::of_log(entries).map_err(|reason| AdminError::Invalid { reason })?;
        self.add_rules(rules)
    }

    /// Lets a request that has not ended go on by hand.
    ///
    /// # Errors
    ///
    /// [`AdminError::NotFound`], and [`AdminError::Impossible`] for a request that has ended.
    pub fn drive(&self, token: &str, how: &Drive) -> Result<RequestView, AdminError> {
        let mut txn = self.core.txn();
        let missing = || AdminError::NotFound { what: format!("request {token}") };
        let request = txn.request(token).ok_or_else(missing)?;
        if request.status.is_final() {
            let reason = format!("request {token} has ended with {}", request.status.name());
            return Err(AdminError::Impossible { reason });
        }
        if let (Status::CancelInProgress, Drive::Fail(..)) = (request.status, how) {
            let reason = format!("request {token} is being cancelled, which can be completed and cannot fail");
            return Err(AdminError::Impossible { reason });
        }
        let at = request.token;
        match how {
            Drive::Release => life::release(&mut txn, at),
            Drive::Complete => life::complete(&mut txn, at, None),
            Drive::Fail(code, message) => life::complete(&mut txn, at, Some((*code, message.clone()))),
        }
        let request = txn.request_at(at).ok_or_else(missing)?;
        Ok(self.request_view(request, txn.now()))
    }
}
