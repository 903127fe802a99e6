//! The rules in force with their counters, and which of them fire on a call.
//!
//! Whether a rule of some probability fires is drawn from the seed, the rule, the content of the call and how often that
//! content was seen: the same program meets the same misbehavior however its calls are interleaved. Counters are part of
//! the state and last as it does.

use super::action::{Action, Throttling};
use super::bucket::Buckets;
use super::rule::{Per, Rule};
use super::stage::Stage;
use super::{RuleId, Subject};
use crate::entropy::{Digest, Entropy, digest};
use crate::store::Txn;
use crate::store::txn::milliseconds;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// The rules in force; part of the state.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rules {
    list: Vec<Active>,
    /// How many rules were ever added; names those without a name.
    added: u64,
    /// How often each content was seen at each stage; kept record by record.
    #[serde(skip)]
    pub(crate) seen: HashMap<Digest, u64>,
    /// Counters that were kept, until their rules are there.
    #[serde(skip)]
    counts: HashMap<RuleId, Count>,
    /// Not kept: a start begins with full buckets.
    #[serde(skip)]
    buckets: Buckets,
}

/// One rule in force.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Active {
    pub(crate) id: RuleId,
    pub(crate) rule: Rule,
    /// Whether it came with the profile rather than from the pages for tests.
    pub(crate) is_of_profile: bool,
    /// When it was added, in milliseconds of the emulator's clock.
    since: u64,
    /// Kept record by record.
    #[serde(skip)]
    pub(crate) count: Count,
}

/// How often a rule was matched and fired.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Count {
    pub(crate) matched: u64,
    pub(crate) fired: u64,
}

/// A rule that fired: enough to make it fire again at the same place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Decision {
    pub(crate) rule: RuleId,
    /// The content that it fired on.
    pub(crate) subject: Digest,
    /// How often the content was seen by then, counted from 1.
    pub(crate) occurrence: u64,
    pub(crate) then: Action,
}

impl Rules {
    pub(crate) fn all(&self) -> &[Active] {
        &self.list
    }

    /// Adds a rule after the others.
    ///
    /// # Errors
    ///
    /// When there is one of its name.
    pub(crate) fn add(&mut self, rule: Rule, now: u64) -> Result<RuleId, String> {
        self.added += 1;
        let id = RuleId::new(&rule.id.clone().unwrap_or_else(|| format!("rule-{}", self.added)));
        if self.list.iter().any(|active| active.id == id) {
            return Err(format!("there is a rule {id} already"));
        }
        self.list.push(Active { id: id.clone(), rule, is_of_profile: false, since: now, count: Count::default() });
        Ok(id)
    }

    /// Takes a rule away, or all; how many went.
    pub(crate) fn remove(&mut self, id: Option<&RuleId>) -> usize {
        let before = self.list.len();
        self.list.retain(|active| id.is_some_and(|id| active.id != *id));
        before - self.list.len()
    }

    /// Makes the rules of the profile those given, before all others. One that was there already goes on counting.
    pub(crate) fn settle(&mut self, wanted: Vec<(RuleId, Rule)>, now: u64) {
        let mut known = std::mem::take(&mut self.list);
        for (id, rule) in wanted {
            let at = known.iter().position(|active| active.is_of_profile && active.id == id && active.rule == rule);
            let fresh = || Active {
                id: id.clone(),
                rule: rule.clone(),
                is_of_profile: true,
                since: now,
                count: Count::default(),
            };
            let active = at.map_or_else(fresh, |at| known.remove(at));
            self.list.push(active);
        }
        let is_taken = |id: &RuleId, list: &[Active]| list.iter().any(|active| active.id == *id);
        let others: Vec<Active> =
            known.into_iter().filter(|active| !active.is_of_profile && !is_taken(&active.id, &self.list)).collect();
        self.list.extend(others);
    }

    /// Starts counting anew.
    pub(crate) fn forget_counts(&mut self) {
        self.list.iter_mut().for_each(|active| active.count = Count::default());
        self.seen.clear();
        self.buckets = Buckets::default();
    }

    pub(crate) fn count(&self, id: &RuleId) -> Option<Count> {
        self.list.iter().find(|active| active.id == *id).map(|active| active.count)
    }

    /// Takes in what was kept of a rule's counters, which come before the rules.
    pub(crate) fn restore_count(&mut self, id: &str, count: Count) {
        self.counts.insert(RuleId::new(id), count);
    }

    /// Takes in the rules that were kept.
    pub(crate) fn restore(&mut self, kept: Rules) {
        self.list = kept.list;
        self.added = kept.added;
        for active in &mut self.list {
            active.count = self.counts.remove(&active.id).unwrap_or_default();
        }
    }
}

/// A rule that fires now.
pub(super) struct Fired {
    pub(super) id: RuleId,
    pub(super) then: Action,
    /// For what its action draws.
    pub(super) entropy: Entropy,
}

/// The rules that fire on a call at a stage, in order.
pub(super) fn ask(txn: &mut Txn<'_>, stage: Stage, subject: &Subject<'_>) -> Vec<Fired> {
    if txn.rules().list.is_empty() {
        return Vec::new();
    }
    // Taken out and put back, so that the transaction can count meanwhile.
    let mut list = std::mem::take(&mut txn.rules().list);
    let key = subject.key(stage);
    let concerned: Vec<&mut Active> = list.iter_mut().filter(|active| active.concerns(stage, subject, key)).collect();
    let mut fired = Vec::new();
    if !concerned.is_empty() {
        let occurrence = txn.see_subject(key);
        for active in concerned {
            let is_decided = |fired: &Fired| fired.then.ends_request();
            if active.rule.then.ends_request() && fired.iter().any(is_decided) {
                continue;
            }
            let Some(one) = try_one(txn, subject, active, (key, occurrence)) else { continue };
            let then = unconditional(&one.then);
            txn.decided(Decision { rule: one.id.clone(), subject: key, occurrence, then }, subject);
            fired.push(one);
            if !stage.takes_many() {
                break;
            }
        }
    }
    txn.rules().list = list;
    fired
}

impl Active {
    /// Whether everything that does not depend on counts, chance and time holds.
    fn concerns(&self, stage: Stage, subject: &Subject<'_>, key: Digest) -> bool {
        let when = &self.rule.when;
        let fits = |glob: &Option<super::Glob>, text: &str| glob.as_ref().is_none_or(|glob| glob.matches(text));
        self.rule.then.acts_at(stage, subject.operation)
            && when.operation.contains(subject.operation)
            && fits(&when.type_name, subject.type_name)
            && fits(&when.identifier, subject.identifier.unwrap_or_default())
            && fits(&when.account, &subject.scope.account)
            && fits(&when.region, &subject.scope.region)
            && when.subject.as_ref().is_none_or(|text| Digest::parse(text) == Some(key))
    }
}

/// Counts a match, and fires the rule if it is its turn.
fn try_one(
    txn: &mut Txn<'_>,
    subject: &Subject<'_>,
    active: &mut Active,
    (key, occurrence): (Digest, u64),
) -> Option<Fired> {
    let when = &active.rule.when;
    let passed = milliseconds(subject.now).saturating_sub(active.since);
    if when.from.is_some_and(|from| passed < from.millis()) || when.until.is_some_and(|until| passed >= until.millis())
    {
        return None;
    }
    active.count.matched += 1;
    txn.count_rule(&active.id);
    let fires_of_subject = crate::entropy::digest(&["fired", active.id.as_str(), &key.to_string()]);
    let (matched, fired) = match when.per {
        Per::Rule => (active.count.matched, active.count.fired),
        Per::Subject => (occurrence, txn.seen_subject(fires_of_subject)),
    };
    let is_turn = when.nth.is_none_or(|nth| matched == nth)
        && when.every.is_none_or(|every| every > 0 && matched.is_multiple_of(every))
        && matched > when.after
        && when.times.is_none_or(|times| fired < times);
    if !is_turn {
        return None;
    }
    let seed = txn.core().options.seed.to_string();
    let entropy = Entropy::new(&["fault", &seed, active.id.as_str(), &key.to_string(), &occurrence.to_string()]);
    if !entropy.within("chance").chance(when.probability) || has_room(txn, subject, active) {
        return None;
    }
    if when.per == Per::Subject && when.times.is_some() {
        txn.see_subject(fires_of_subject);
    }
    active.count.fired += 1;
    Some(Fired { id: active.id.clone(), then: active.rule.then.clone(), entropy })
}

/// Whether the bucket of a throttling rule lets the call through.
fn has_room(txn: &mut Txn<'_>, subject: &Subject<'_>, active: &Active) -> bool {
    let Action::Throttle(Throttling { rate: Some(rate), burst, .. }) = &active.rule.then else { return false };
    let place = digest(&[active.id.as_str(), &subject.scope.account, &subject.scope.region, subject.operation]);
    let now = milliseconds(subject.now);
    txn.rules().buckets.take(place, (*rate, burst.unwrap_or_else(|| Throttling::usual_burst(*rate))), now)
}

/// The action without what depends on anything but the call.
fn unconditional(then: &Action) -> Action {
    match then {
        Action::Throttle(throttling) => {
            Action::Throttle(Throttling { message: throttling.message.clone(), ..Throttling::default() })
        }
        other => other.clone(),
    }
}

impl Subject<'_> {
    /// The content of the call at a stage, by which it is known again.
    fn key(&self, stage: Stage) -> Digest {
        let content = self.digest.to_string();
        let identifier = self.identifier.unwrap_or_default();
        let (account, region) = (&*self.scope.account, &*self.scope.region);
        digest(&[stage.name(), account, region, self.operation, self.type_name, identifier, &content])
    }
}
