//! Unions.

use super::{TypeBuilder, Typed};
use crate::combine::flatten;
use crate::error::LowerError;
use crate::package::TypeSpec;
use crate::trace::rules::Rule;
use cfn::Node;
use metadata::model;
use std::collections::HashSet;

impl TypeBuilder<'_> {
    /// The type of a node with `anyOf` or `oneOf`.
    ///
    /// Each alternative is named by its number. Where only one of them has a type of its own, that one is derived again
    /// under the plain name; the numbered type stays registered, since published SDKs have it.
    pub(super) fn union(&mut self, parent: &str, node: &Node) -> Result<Typed, LowerError> {
        let branches = flatten(node);
        let mut arms: Vec<Typed> = Vec::with_capacity(branches.len());
        let mut known = HashSet::with_capacity(branches.len());
        for (number, branch) in branches.iter().enumerate() {
            let arm = self.type_of(&format!("{parent}{number}"), branch)?;
            if known.insert(arm.spec.clone()) {
                arms.push(arm);
            }
        }
        let mut own = arms.iter().enumerate().filter(|(number, arm)| {
            let token = arm.spec.token();
            token.is_some_and(|token| token.ends_with("Properties") || token.ends_with(&format!("{parent}{number}")))
        });
        if let (Some((number, _)), None) = (own.next(), own.next()) {
            // The number counts distinct types but picks from all branches. With an equal branch in front it would
            // pick the wrong one; published types depend on nothing else.
            if let Some(branch) = branches.get(number) {
                self.note(Rule::RenamedAlternative);
                let renamed = self.type_of(parent, branch)?;
                if let Some(arm) = arms.get_mut(number) {
                    *arm = renamed;
                }
            }
        }
        if arms.len() == 1
            && let Some(arm) = arms.pop()
        {
            return Ok(arm);
        }
        let (specs, views) = arms.into_iter().map(|arm| (arm.spec, arm.view)).unzip();
        Ok(Typed::new(TypeSpec::Union(specs), model::Type::Union(views)))
    }
}
