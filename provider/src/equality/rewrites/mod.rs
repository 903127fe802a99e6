//! What a service makes of a value by the type's schema (`propertyTransform`).
//!
//! A rule is a JSONata expression over what the user declared, of which the service may hold the result in place of the
//! value: in lower case, as the ARN of the id, with a version completed by a regular expression. Rules explain what the
//! service holds; they never hide what the program changed (decision 15).
//!
//! | module | what is in it |
//! |---|---|
//! | this one | whether a rule explains a value |
//! | [`split`] | the alternatives of an expression |
//! | [`evaluate`] | their values, within limits |
//! | [`budget`] | what they may cost together |
//! | [`locate`], [`unknowns`] | the objects around a value, as the expressions name them; what of them is not known |
//! | [`report`] | what is said of rules that cannot be read |

pub mod budget;
pub mod evaluate;
pub mod locate;
pub mod report;
pub mod split;
mod unknowns;

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::rc::Rc;

use serde_json::{Map as JsonMap, Value as Json};
use value::{Map, Value};

use super::arn;
use super::written::Step;
use crate::convert::{Select, value_to_cfn};
use crate::marks::Rule;
use crate::place::{Object, Place};
use crate::subject::Subject;
use budget::Budget;
use locate::Leaf;
use split::Alternative;
use unknowns::Unknowns;

/// What results count that do not depend on the value: constants, and patterns that find a value anywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Constants {
    /// None of them: the program may have changed the value, and they would hide it.
    Refused,
    /// They explain what the service holds: the program did not change the value.
    Allowed,
}

/// The rules over the inputs of one operation. Costs nothing until a value differs that has a rule.
pub struct Rewrites<'a> {
    object: Object,
    desired: &'a Map,
    constants: Constants,
    document: OnceCell<Json>,
    unknowns: OnceCell<Unknowns>,
    results: RefCell<HashMap<String, Rc<Vec<Outcome>>>>,
    budget: Rc<Budget>,
    unreadable: RefCell<BTreeSet<Rule>>,
}

/// Prints no value: nothing in the document is marked secret.
impl fmt::Debug for Rewrites<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rewrites").field("constants", &self.constants).finish_non_exhaustive()
    }
}

/// What an alternative comes to on one of the objects around a value.
struct Outcome {
    value: Json,
    constant: bool,
}

impl<'a> Rewrites<'a> {
    /// The rules over inputs of a type.
    pub fn of(subject: impl Into<Subject>, desired: &'a Map, constants: Constants) -> Self {
        Self {
            object: Object::of(subject),
            desired,
            constants,
            document: OnceCell::new(),
            unknowns: OnceCell::new(),
            results: RefCell::default(),
            budget: Rc::default(),
            unreadable: RefCell::default(),
        }
    }

    /// The same on the budget of another: the inputs belong to one operation.
    pub fn sharing(self, other: &Rewrites<'_>) -> Self {
        Self { budget: Rc::clone(&other.budget), ..self }
    }

    /// Whether a rule was not asked because those before it had cost too much; see [`budget`].
    pub fn budget_has_ended(&self) -> bool {
        self.budget.has_ended()
    }

    /// Whether only what follows from the value itself counts.
    pub fn refuses_constants(&self) -> bool {
        self.constants == Constants::Refused
    }

    /// The rules that could not be read.
    pub fn unreadable(&self) -> Vec<Rule> {
        self.unreadable.borrow().iter().copied().collect()
    }

    /// Whether the service holds `live`, which is at `place`, because of what the user wrote at `steps`.
    ///
    /// Not if anything that the rule reads is not known yet.
    pub(super) fn explains(&self, steps: &[Step<'_>], rule: Rule, live: &Value, place: Place) -> bool {
        let Some(leaf) = self.leaf(steps) else { return false };
        let Some(live) = model(live, place) else { return false };
        let Some(desired) = leaf.value(self.document()) else { return false };
        if is_same(desired, &live) {
            return true;
        }
        self.outcomes(&leaf, rule)
            .iter()
            .filter(|outcome| self.constants == Constants::Allowed || !outcome.constant)
            .any(|outcome| self.meets(&outcome.value, &live, desired, &leaf))
            || self.is_same_below_a_rule(&leaf, rule, desired, &live)
    }

    /// Whether two desired values, this one's at `steps` and the other's at `others`, are the same by the rule's first
    /// alternative.
    pub(super) fn alike(&self, steps: &[Step<'_>], rule: Rule, other: &Self, others: &[Step<'_>]) -> bool {
        let Some((leaf, other_leaf)) = self.leaf(steps).zip(other.leaf(others)) else { return false };
        let alternatives = split::alternatives(rule.expression);
        let Some(first) = alternatives.first().filter(|first| first.reads(&leaf.name)) else { return false };
        let values = leaf.value(self.document()).zip(other_leaf.value(other.document()));
        let Some((one, two)) = values.filter(|(one, two)| may_be_one(one, two)) else { return false };
        let (result, other_result) =
            (self.result(&leaf, rule, first, one), other.result(&other_leaf, rule, first, two));
        result.as_ref().is_some_and(|tail| !is_part_of_two(tail, one, two))
            && result == other_result
            && self.depends(&leaf, rule, first, one)
    }

    /// The value at `steps`, with what is around it.
    fn leaf(&self, steps: &[Step<'_>]) -> Option<Leaf> {
        Leaf::find(self.desired, self.object, self.unknowns.get_or_init(|| Unknowns::of(self.desired)), steps)
    }

    /// The complete declared inputs in CloudFormation's form, without what is not known yet.
    fn document(&self) -> &Json {
        self.document.get_or_init(|| {
            let members = self.desired.iter().filter_map(|(name, member)| {
                let (property, place) = self.object.member(name);
                let json = model(&locate::known(member), place)?;
                Some((property?.cfn_name().to_owned(), json))
            });
            Json::Object(members.collect())
        })
    }

    /// What all alternatives come to, on all objects around the leaf.
    fn outcomes(&self, leaf: &Leaf, rule: Rule) -> Rc<Vec<Outcome>> {
        if let Some(outcomes) = self.results.borrow().get(&leaf.pointer()) {
            return Rc::clone(outcomes);
        }
        let mut outcomes = Vec::new();
        for alternative in split::alternatives(rule.expression) {
            let constant = !alternative.reads(&leaf.name);
            for context in leaf.contexts(self.document(), &alternative) {
                let value = self.evaluated(rule, &alternative, &context.members);
                outcomes.extend(value.map(|value| Outcome { value, constant }));
            }
        }
        let outcomes = Rc::new(outcomes);
        self.results.borrow_mut().insert(leaf.pointer(), Rc::clone(&outcomes));
        outcomes
    }

    /// Whether an outcome means what the service holds.
    fn meets(&self, outcome: &Json, live: &Json, desired: &Json, leaf: &Leaf) -> bool {
        // An update of an object, `$ ~> | … |`, comes to all of it.
        if is_same(outcome, live) || outcome.get(&leaf.name).is_some_and(|member| is_same(member, live)) {
            return true;
        }
        match (outcome, live) {
            // What is as the user wrote it is a value and no pattern.
            (Json::String(pattern), Json::String(text)) if outcome != desired => {
                let is_loose = pattern.starts_with(".*");
                (self.constants == Constants::Allowed || !is_loose) && is_found(pattern, text)
            }
            _ => false,
        }
    }

    /// Whether an alternative makes the same of what the user wrote and of what the service holds.
    fn is_same_below_a_rule(&self, leaf: &Leaf, rule: Rule, desired: &Json, live: &Json) -> bool {
        may_be_one(desired, live)
            && split::alternatives(rule.expression).iter().filter(|alternative| alternative.reads(&leaf.name)).any(
                |alternative| {
                    let result = self.result(leaf, rule, alternative, desired);
                    result.as_ref().is_some_and(|tail| !is_part_of_two(tail, desired, live))
                        && result == self.result(leaf, rule, alternative, live)
                        && self.depends(leaf, rule, alternative, desired)
                },
            )
    }

    /// Whether the result of an alternative depends on the value, and not only on what is around it.
    fn depends(&self, leaf: &Leaf, rule: Rule, alternative: &Alternative<'_>, value: &Json) -> bool {
        let others = match value {
            Json::String(text) => vec![Json::String(format!("~{text}")), Json::String(format!("{text}~"))],
            Json::Number(number) => vec![Json::from(number.as_f64().unwrap_or_default() + 1.0)],
            Json::Bool(flag) => vec![Json::Bool(!flag)],
            Json::Null | Json::Array(_) | Json::Object(_) => Vec::new(),
        };
        let result = self.result(leaf, rule, alternative, value);
        others.iter().any(|other| self.result(leaf, rule, alternative, other) != result)
    }

    /// What an alternative comes to with `value` in the leaf, on the nearest object on which it comes to anything.
    fn result(&self, leaf: &Leaf, rule: Rule, alternative: &Alternative<'_>, value: &Json) -> Option<Json> {
        leaf.contexts(self.document(), alternative).into_iter().find_map(|mut context| {
            context.put(value);
            self.evaluated(rule, alternative, &context.members)
        })
    }

    fn evaluated(&self, rule: Rule, alternative: &Alternative<'_>, members: &JsonMap<String, Json>) -> Option<Json> {
        match self.budget.spend(members, |left| evaluate::evaluate_within(&alternative.text, members, left))? {
            Ok(value) => value.filter(|value| value.as_str() != Some("")),
            Err(evaluate::Unreadable) => {
                self.unreadable.borrow_mut().insert(rule);
                None
            }
        }
    }
}

/// A value in the service's form. What is of another kind than the schema says is taken as it is: services answer more
/// loosely than they accept.
fn model(value: &Value, place: Place) -> Option<Json> {
    match value_to_cfn(value, place, Select::All) {
        Ok(model) => model,
        Err(_) => value::json::to_json(value).ok(),
    }
}

/// Whether two values may be one thing at all: two ARNs are only in another letter case.
fn may_be_one(one: &Json, other: &Json) -> bool {
    match (one, other) {
        (Json::String(one), Json::String(other)) if arn::is_arn(one) && arn::is_arn(other) => {
            one.to_lowercase() == other.to_lowercase()
        }
        _ => true,
    }
}

/// Whether a rule keeps nothing but an end, or a piece, that two texts have in common that differ in the rest.
fn is_part_of_two(result: &Json, one: &Json, other: &Json) -> bool {
    let (Some(part), Some(one), Some(other)) = (result.as_str(), one.as_str(), other.as_str()) else { return false };
    arn::have_in_common(part, one, other) || arn::are_cut_to(part, one, other)
}

/// Whether two values are equal, a number also to its text.
fn is_same(one: &Json, other: &Json) -> bool {
    match (one, other) {
        (Json::Number(one), Json::Number(other)) => one.as_f64() == other.as_f64(),
        (Json::Number(number), Json::String(text)) | (Json::String(text), Json::Number(number)) => {
            let number = number.as_f64().and_then(value::json::number);
            number.is_some_and(|number| number.to_string() == *text)
        }
        (Json::Array(one), Json::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other))
        }
        (Json::Object(one), Json::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, member)| other.get(name).is_some_and(|other| is_same(member, other)))
        }
        (one, other) => one == other,
    }
}

/// Whether the whole text fits a pattern. What has nothing of a pattern but dots is none.
fn is_found(pattern: &str, text: &str) -> bool {
    let pattern = pattern.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(pattern);
    pattern.contains(['*', '+', '?', '[', '{', '(', '|', '\\', '^', '$'])
        && text.len() <= evaluate::LONGEST_TEXT
        && cfn::java_pattern::compile(&format!("^(?:{pattern})$")).and_then(|found| found.is_found(text)) == Some(true)
}
