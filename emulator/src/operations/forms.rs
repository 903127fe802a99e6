//! What the service makes of a model that it accepts: what it fills in, and the form in which it keeps what it was given.

use crate::core::Core;
use crate::model::{defaults, reorder};
use crate::options::Defaults;
use crate::overrides::normalize::{self, Part};
use crate::schema::ResourceType;
use crate::scope::Scope;
use crate::transform::Place;
use crate::validate::Validator;
use serde_json::Value;

/// The model as the service keeps it, before it adds what only it can make. `before` is what it kept so far: values that
/// did not change keep their form.
pub(crate) fn kept(
    core: &Core,
    scope: &Scope,
    resource: &ResourceType,
    before: Option<&Value>,
    model: &Value,
) -> Value {
    let mut kept = model.clone();
    let facts = core.knowledge.of_type(&resource.name);
    let place = Place { seed: core.options.seed, scope };
    let validator = Validator::new(resource, &core.patterns);
    let keep = normalize::Keep { resource, validator: &validator, knowledge: &core.knowledge, place: &place };
    // Identifiers have their form before anybody can ask for them; a lookup takes them as they are asked for.
    normalize::apply(&keep, &facts.normalize, Part::Identifiers, &mut kept);
    fill_in(core, resource, &validator, &mut kept);
    if core.options.switches.transforms {
        let failures = resource.transforms().apply(&validator, resource, &place, before, &mut kept);
        for _ in 0..failures {
            core.metrics.count("emulator_transforms_skipped", &[("type", &resource.name)]);
        }
        normalize::apply(&keep, &facts.normalize, Part::Others, &mut kept);
    }
    if core.options.switches.reorder {
        reorder::apply(resource, core.options.seed, before, &mut kept);
    }
    kept
}

/// Adds defaults, those that contradict what the caller chose left out.
fn fill_in(core: &Core, resource: &ResourceType, validator: &Validator<'_>, model: &mut Value) {
    let choice = core.options.switches.defaults;
    if choice == Defaults::Off {
        return;
    }
    let mut complete = model.clone();
    defaults::apply(resource, &mut complete);
    if validator.model(&complete).is_ok() {
        *model = complete;
    }
    if choice == Defaults::Full {
        let facts = core.knowledge.of_type(&resource.name);
        let documented = core.knowledge.documented_defaults(&resource.name);
        defaults::apply_rules(resource, validator, facts.defaults.iter().chain(&*documented), model);
    }
}
