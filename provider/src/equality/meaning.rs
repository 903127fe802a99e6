//! When two values that are not equal mean the same: the rules in their order.

use metadata::model::EqualityHint;
use metadata::view::Type;
use value::Value;

use super::written::At;
use super::{Against, Comparison, Secrecy, arn, document, leaf, policy, printed};
use crate::marks::{Mark, Rule};
use crate::place::Place;

impl Comparison {
    /// Whether two values that are not equal mean the same to the service. Nothing that is not known yet does.
    ///
    /// A document that holds secrets means the same only where they do not count: nothing says which is which.
    pub(super) fn mean_the_same(&self, first: &Value, second: &Value, place: Place, at: At<'_>) -> bool {
        if self.secrecy == Secrecy::Counts && (first.contains_secret() || second.contains_secret()) {
            return false;
        }
        let hint = place.marks.hint();
        if hint.is_some_and(|hint| self.hint_counts(hint) && leaf::same(hint, first, second, self.against)) {
            return true;
        }
        if hint == Some(EqualityHint::ArnOrId) && self.is_unchanged(at) && names_a_key(first, second) {
            return true;
        }
        let is_undeclared = self.against.is_live() && matches!(place.ty, Type::Any);
        if is_undeclared && leaf::as_text(first).is_some_and(|text| leaf::as_text(second) == Some(text)) {
            return true;
        }
        if let Some(rule) = place.marks.rewrite()
            && self.rule_explains(rule, second, place, at)
        {
            return true;
        }
        if leaf::is_text_of(place.ty, first, second, self.against) {
            return true;
        }
        if self.against.is_live()
            && (self.is_same_form(first, second, place, at) || self.is_same_document(first, second, place, at))
        {
            return true;
        }
        if place.may_hold_policy() && policy::equivalent(first, second) == Some(true) {
            return true;
        }
        match (first, second) {
            (Value::String(one), Value::String(other)) => {
                self.against.is_live() && self.arns && arn::same_thing(one, other)
            }
            _ => false,
        }
    }

    /// Whether the service prints a scalar in a form of its own. Tags and variables keep the very text, so that it is a change
    /// when a program goes to another form of a time or an address, except where only creation could set it.
    fn is_same_form(&self, own: &Value, held: &Value, place: Place, at: At<'_>) -> bool {
        let is_fixed = place.marks.covered(Mark::CreateOnly) || !place.marks.updatable();
        let may_be_any = matches!(own.unsecret(), Value::String(_)) && !printed::is_listed(place.ty) && !is_fixed;
        (!may_be_any || self.is_unchanged(at)) && printed::is_form_of(place.ty, own, held)
    }

    /// Whether the service shows a JSON document in another form, or, where the program has not changed it, in another layout.
    /// That a program goes to another layout is a change: to some services the very text matters.
    fn is_same_document(&self, own: &Value, held: &Value, place: Place, at: At<'_>) -> bool {
        let may_be = match (own, held) {
            (Value::String(_), Value::String(_)) => {
                matches!(place.ty, Type::Any | Type::String | Type::Union(_)) && self.is_unchanged(at)
            }
            (Value::String(_), _) | (_, Value::String(_)) => true,
            _ => false,
        };
        may_be && document::equivalent(own, held, self.against)
    }

    /// Whether the program is known not to have changed the value: then what the service has for it may be something that
    /// does not follow from it.
    fn is_unchanged(&self, at: At<'_>) -> bool {
        self.against.is_live() && at.first.rules().is_some_and(|(rewrites, _)| !rewrites.refuses_constants())
    }

    /// Whether the schema's rule makes both values one.
    fn rule_explains(&self, rule: Rule, second: &Value, place: Place, at: At<'_>) -> bool {
        let Some((rewrites, steps)) = at.first.rules() else { return false };
        if self.against.is_live() && !self.arns {
            return false;
        }
        // The hint knows where a component of a version ends, which the rule's pattern does not.
        if rewrites.refuses_constants() && place.marks.hint() == Some(EqualityHint::VersionPrefix) {
            return false;
        }
        match self.against {
            Against::Live(_) | Against::Exactly => rewrites.explains(&steps, rule, second, place),
            Against::Desired => {
                at.second.rules().is_some_and(|(other, others)| rewrites.alike(&steps, rule, other, &others))
            }
        }
    }

    fn hint_counts(&self, hint: EqualityHint) -> bool {
        hint != EqualityHint::ArnOrId || self.arns
    }
}

/// Whether the first value is an alias, and the second a key that it may stand for.
fn names_a_key(first: &Value, second: &Value) -> bool {
    matches!((first.as_str(), second.as_str()), (Some(alias), Some(key)) if arn::may_be_alias_of(alias, key))
}
