//! Diff: what an update would change.

use metadata::view::Resource;

use super::{DiffAnswer, DiffRequest};
use crate::advice;
use crate::checkpoint;
use crate::equality::rewrites::report;
use crate::place::Object;
use crate::plan::{Plan, Recorded, ignore, replacement};
use crate::predict::stable::Stable;
use crate::subject::Subject;

/// Compares new inputs with the recorded state. Pure.
///
/// The recorded inputs are those of the checkpoint; a state without one is compared by the inputs that the engine has,
/// else by its outputs, of which then only what the program mentions counts.
pub fn diff(subject: impl Into<Subject>, request: &DiffRequest) -> DiffAnswer {
    let subject = subject.into();
    let resource = subject.resource;
    // Most previews change nothing, and plainly equal inputs need no rules to tell.
    if checkpoint::inputs(&request.olds) == Some(&request.news) {
        return DiffAnswer::default();
    }
    let object = Object::of(subject);
    let olds = checkpoint::canonical(&request.olds, object);
    let old_inputs = request.old_inputs.as_ref().map(|inputs| checkpoint::canonical_inputs(inputs, object));
    let recorded = recorded(&olds, old_inputs.as_deref());
    let kept = recorded.inputs.unwrap_or(recorded.outputs);
    let reset = ignore::reset(&request.ignore_changes, kept, &request.news);
    let news = reset.as_ref().unwrap_or(&request.news);
    let plan = Plan::new(subject, recorded, news);
    let before = recorded.inputs.unwrap_or(&olds);
    // Also where nothing here replaces: the engine may make a replacement of any change (`replaceOnChanges`), and
    // asks for the order only then.
    let deletes_first = !plan.is_empty() && replacement::deletes_first(resource, &request.urn, before, news);
    let stables = match plan.detailed.is_empty() || !plan.replaces.is_empty() {
        true => Vec::new(),
        false => Stable::of(resource, recorded.inputs, news).names(&olds, before, news).map(str::to_owned).collect(),
    };
    let mut warnings = warnings(resource, &plan);
    warnings.extend(plan.rules_ended.then(|| report::ended(resource)));
    let warnings_once = report::unreadable(resource, plan.unreadable);
    DiffAnswer {
        detailed: plan.detailed,
        record_only: plan.record_only,
        replaces: plan.replaces.into_iter().collect(),
        delete_before_replace: deletes_first,
        stables,
        warnings,
        warnings_once,
    }
}

/// The recorded state as rules see it.
pub(super) fn recorded<'a>(olds: &'a value::Map, old_inputs: Option<&'a value::Map>) -> Recorded<'a> {
    let checkpoint = checkpoint::inputs(olds);
    Recorded {
        inputs: checkpoint.or(old_inputs.filter(|inputs| !inputs.is_empty())),
        outputs: olds,
        imported: checkpoint.is_none() || checkpoint::is_imported(olds),
    }
}

fn warnings(resource: Resource, plan: &Plan) -> Vec<String> {
    let mut warnings = Vec::new();
    if plan.replaces.is_empty() && !plan.conditional.is_empty() {
        let paths = plan.conditional.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        warnings.push(format!(
            "changing {paths} may replace the resource: {} allows it in place only under conditions that the service \
             decides",
            resource.cfn_type()
        ));
    }
    let demanded = advice::demanded_and_hidden(resource);
    if plan.replaces.is_empty() && !plan.detailed.is_empty() && !demanded.is_empty() {
        warnings.push(format!("this update may fail: {}", advice::cannot_be_patched(&demanded)));
    }
    let fixed_tags = resource.tags().is_some_and(|tags| !tags.updatable);
    if let Some(tags) = plan.tags.as_ref().filter(|tags| fixed_tags && !plan.replaces.contains(*tags)) {
        warnings.push(format!(
            "changing {tags} may fail: by its schema, {} cannot change tags after creation; if it does, replace the resource \
             with `pulumi up --replace`",
            resource.cfn_type()
        ));
    }
    warnings
}
