//! The life of one resource, told as the engine tells it.

use std::collections::BTreeMap;

use bytes::Bytes;
use emulator::{Size, Which};
use metadata::view::{Operation, Resource};
use protocol::pulumirpc as pb;
use protocol::pulumirpc::diff_response::DiffChanges;
use protocol::pulumirpc::property_diff::Kind;
use protocol::pulumirpc::resource_provider_server::ResourceProvider as _;
use provider::convert::to_cfn;
use provider::marks::Mark;
use provider::place::Object;
use tonic::Request;
use value::{Map, Urn};

use crate::program::{leaves, others, program, rewritten};
use crate::spellings::respelled;
use crate::world::{World, read, wire};

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Found {
    /// Types that can be created.
    Types,
    /// Programs of which the schema refused a spelling.
    Refused,
    /// Resources that were created.
    Created,
    /// Leaves that programs sent.
    Sent,
    /// Leaves that the service keeps otherwise than they were sent.
    Rewritten,
    /// Leaves that nobody sent.
    FilledIn,
    /// Refreshes after which nothing was planned.
    Refreshed,
    /// Resources of which a property was changed.
    Updated,
    /// Resources that were imported with inputs that preview empty.
    Imported,
    /// Those of them for which something was to be recorded that no read returns.
    Recorded,
    /// Resources that were imported with more than their program says: the service had filled it in.
    ImportedMore,
}

/// What came of a life.
#[derive(Default)]
pub struct Life {
    /// How often something was seen.
    pub found: BTreeMap<Found, usize>,
    /// What was not as it must be: type, when and path.
    pub problems: Vec<[String; 3]>,
}

impl Life {
    fn count(&mut self, found: Found, count: usize) {
        *self.found.entry(found).or_default() += count;
    }
}

/// Lives the lives of a type: of its largest program, of its smallest, and of those with other spellings.
pub async fn live(world: &World, resource: Resource) -> Life {
    let mut life = Life::default();
    if resource.handler(Operation::Create).is_none() {
        return life;
    }
    life.count(Found::Types, 1);
    let sized = [Size::Maximal, Size::Minimal].map(|size| program(world, resource, size));
    let spelled = sized[0].as_ref().map(|largest| respelled(resource, largest)).unwrap_or_default();
    let sized = sized.into_iter().flatten().map(|program| (program, false));
    for (index, (program, is_respelled)) in sized.chain(spelled.into_iter().map(|other| (other, true))).enumerate() {
        let urn = Urn::new("dev", "test", None, resource.token(), &format!("thing{index}")).unwrap();
        let one = One { world, resource, urn: urn.to_string() };
        match one.live(&program, &mut life).await {
            // Whether a spelling fits is not known before.
            Err(problem) if is_respelled && is_refused(&problem) => life.count(Found::Refused, 1),
            Err(problem) => life.problems.push([resource.cfn_type().to_owned(), problem, String::new()]),
            Ok(()) => {}
        }
    }
    life
}

fn is_refused(problem: &str) -> bool {
    problem.starts_with("check: ") || (problem.starts_with("create: ") && is_refusal_of_the_schema(problem))
}

fn is_refusal_of_the_schema(message: &str) -> bool {
    message.contains("Model validation failed")
}

/// One resource.
struct One<'w> {
    world: &'w World,
    resource: Resource,
    urn: String,
}

/// What the engine remembers of a resource.
#[derive(Clone)]
struct State {
    id: String,
    outputs: Bytes,
    inputs: Bytes,
}

impl One<'_> {
    async fn live(&self, program: &Map, life: &mut Life) -> Result<(), String> {
        let mut inputs = self.checked(program, None).await?;
        let mut state = self.created(&inputs).await?;
        self.look(&state, life)?;
        self.nothing_planned("create", &state, &inputs, life).await?;
        let can = |operation| self.resource.handler(operation).is_some();
        if can(Operation::Read) {
            state = self.refresh("create", &state, &inputs, life).await?;
        }
        if can(Operation::Update)
            && let Some((changed, news)) = self.changed(&state, &inputs).await?
        {
            life.count(Found::Updated, 1);
            inputs = news;
            self.nothing_planned("update", &changed, &inputs, life).await?;
            state = self.refresh("update", &changed, &inputs, life).await?;
        }
        if can(Operation::Read) {
            self.import(&state.id, &inputs, life).await?;
        }
        self.delete(&state).await
    }

    /// Counts what the service made of the program.
    fn look(&self, state: &State, life: &mut Life) -> Result<(), String> {
        let sent = to_cfn(&read(&state.inputs), Object::of(self.resource)).map_err(|error| error.to_string())?;
        let kept = self.world.cloud.admin().resources(&Which::one(self.resource.cfn_type(), &state.id));
        let kept = &kept.first().ok_or("it is not in the cloud")?.model;
        life.count(Found::Created, 1);
        life.count(Found::Sent, leaves(&sent));
        life.count(Found::Rewritten, rewritten(&sent, kept));
        life.count(Found::FilledIn, leaves(kept).saturating_sub(leaves(&sent)));
        Ok(())
    }

    /// With the same program nothing is planned.
    async fn nothing_planned(&self, when: &str, state: &State, news: &Bytes, life: &mut Life) -> Result<bool, String> {
        let paths: Vec<String> = self.changes(state, news).await?.into_keys().collect();
        let nothing = paths.is_empty();
        life.problems.extend(paths.into_iter().map(|path| self.problem(&format!("after {when}"), path)));
        Ok(nothing)
    }

    /// A refresh leaves the inputs as they are and plans nothing, and a second one changes nothing.
    async fn refresh(&self, when: &str, state: &State, news: &Bytes, life: &mut Life) -> Result<State, String> {
        let first = self.read(&state.id, Some(state)).await?;
        let when = format!("{when} and refresh");
        let mut differing = differences(&state.inputs, &first.inputs);
        let second = self.read(&state.id, Some(&first)).await?;
        differing.extend(differences(&first.outputs, &second.outputs));
        let quiet = differing.is_empty();
        life.problems.extend(differing.into_iter().map(|name| self.problem(&format!("read after {when}"), name)));
        let nothing = self.nothing_planned(&when, &second, news, life).await?;
        life.count(Found::Refreshed, usize::from(quiet && nothing));
        Ok(second)
    }

    /// An import has the inputs of the program, but for what no read returns, and for what the service filled in: that is
    /// the imported resource's, and a program that takes it over has to say it.
    async fn import(&self, id: &str, program: &Bytes, life: &mut Life) -> Result<(), String> {
        let imported = self.read(id, None).await?;
        let news = self.checked(&read(program), Some(&imported.inputs)).await?;
        let changes = self.changes(&imported, &news).await?;
        let (mut more, mut recorded, mut otherwise) = (false, false, Vec::new());
        for (path, kind) in changes {
            let name = path.split(['.', '[']).next().unwrap_or(&path);
            if kind.is_none() && !self.resource.write_only().is_empty() {
                recorded = true;
            } else if matches!(kind, Some(Kind::Delete | Kind::DeleteReplace)) {
                more = true;
            } else if !self.is_hidden(name) {
                otherwise.push(path);
            }
        }
        let found = [
            (Found::Imported, !more && otherwise.is_empty()),
            (Found::Recorded, recorded),
            (Found::ImportedMore, more),
        ];
        found.into_iter().for_each(|(found, seen)| life.count(found, usize::from(seen)));
        life.problems.extend(otherwise.into_iter().map(|path| self.problem("after import", path)));
        Ok(())
    }

    fn problem(&self, when: &str, path: String) -> [String; 3] {
        [self.resource.cfn_type().to_owned(), when.to_owned(), path]
    }

    /// Whether no read shows all of this property.
    fn is_hidden(&self, name: &str) -> bool {
        let place = Object::of(self.resource).member(name).1;
        place.hidden() || place.marks.below(Mark::WriteOnly)
    }

    async fn checked(&self, program: &Map, olds: Option<&Bytes>) -> Result<Bytes, String> {
        let request = pb::CheckRequest {
            urn: self.urn.clone(),
            news: Some(wire(program)),
            olds: olds.cloned(),
            random_seed: vec![7; 32].into(),
            ..Default::default()
        };
        let answer = self.world.provider.check(Request::new(request)).await;
        let answer = answer.map_err(|status| format!("check: {}", status.message()))?.into_inner();
        let failures = answer.failures.into_iter().map(|failure| failure.reason);
        answer.inputs.ok_or_else(|| format!("check: {}", failures.collect::<Vec<_>>().join("; ")))
    }

    async fn created(&self, inputs: &Bytes) -> Result<State, String> {
        let request =
            pb::CreateRequest { urn: self.urn.clone(), properties: Some(inputs.clone()), ..Default::default() };
        let answer = self.world.provider.create(Request::new(request)).await;
        let answer = answer.map_err(|status| format!("create: {}", status.message()))?.into_inner();
        let outputs = answer.properties.ok_or("create: no properties")?;
        Ok(State { id: answer.id, outputs, inputs: inputs.clone() })
    }

    /// A refresh of a state, or an import without one.
    async fn read(&self, id: &str, state: Option<&State>) -> Result<State, String> {
        let request = pb::ReadRequest {
            id: id.to_owned(),
            urn: self.urn.clone(),
            properties: state.map(|state| state.outputs.clone()),
            inputs: state.map(|state| state.inputs.clone()),
            ..Default::default()
        };
        let answer = self.world.provider.read(Request::new(request)).await;
        let answer = answer.map_err(|status| format!("read: {}", status.message()))?.into_inner();
        let outputs = answer.properties.ok_or("read: it is gone")?;
        Ok(State { id: answer.id, outputs, inputs: answer.inputs.ok_or("read: no inputs")? })
    }

    async fn diff(&self, state: &State, news: &Bytes) -> Result<pb::DiffResponse, String> {
        let request = pb::DiffRequest {
            id: state.id.clone(),
            urn: self.urn.clone(),
            olds: Some(state.outputs.clone()),
            news: Some(news.clone()),
            old_inputs: Some(state.inputs.clone()),
            ..Default::default()
        };
        let answer = self.world.provider.diff(Request::new(request)).await;
        Ok(answer.map_err(|status| format!("diff: {}", status.message()))?.into_inner())
    }

    /// The paths that a diff names; one without a kind where something is only recorded.
    async fn changes(&self, state: &State, news: &Bytes) -> Result<BTreeMap<String, Option<Kind>>, String> {
        let answer = self.diff(state, news).await?;
        let named = answer.detailed_diff.into_iter();
        let mut changes: BTreeMap<String, Option<Kind>> =
            named.map(|(path, change)| (path, Kind::try_from(change.kind).ok())).collect();
        if changes.is_empty() && answer.changes != i32::from(DiffChanges::DiffNone) {
            changes.insert("(recorded)".to_owned(), None);
        }
        Ok(changes)
    }

    /// The resource with one property changed, and its inputs. None where none can be changed alone.
    async fn changed(&self, state: &State, inputs: &Bytes) -> Result<Option<(State, Bytes)>, String> {
        for (name, program) in others(self.world, self.resource, &read(inputs)) {
            let news = self.checked(&program, Some(inputs)).await?;
            let plan = self.diff(state, &news).await?;
            if plan.changes != i32::from(DiffChanges::DiffSome) || !plan.replaces.is_empty() {
                continue;
            }
            let request = pb::UpdateRequest {
                id: state.id.clone(),
                urn: self.urn.clone(),
                olds: Some(state.outputs.clone()),
                news: Some(news.clone()),
                old_inputs: Some(state.inputs.clone()),
                ..Default::default()
            };
            match self.world.provider.update(Request::new(request)).await {
                Ok(answer) => {
                    let outputs = answer.into_inner().properties.ok_or("update: no properties")?;
                    return Ok(Some((State { id: state.id.clone(), outputs, inputs: news.clone() }, news)));
                }
                // Members that do not go together.
                Err(status) if is_refusal_of_the_schema(status.message()) => {}
                Err(status) => return Err(format!("update of {name}: {}", status.message())),
            }
        }
        Ok(None)
    }

    async fn delete(&self, state: &State) -> Result<(), String> {
        let request = pb::DeleteRequest {
            id: state.id.clone(),
            urn: self.urn.clone(),
            properties: Some(state.outputs.clone()),
            old_inputs: Some(state.inputs.clone()),
            ..Default::default()
        };
        let Err(status) = self.world.provider.delete(Request::new(request)).await else { return Ok(()) };
        if !status.message().contains("cannot be deleted while") {
            return Err(format!("delete: {}", status.message()));
        }
        // It is protected, as the program says.
        let which = Which::one(self.resource.cfn_type(), &state.id);
        self.world.cloud.admin().remove(&which).map(drop).map_err(|error| error.to_string())
    }
}

/// The names of members that differ.
fn differences(one: &Bytes, other: &Bytes) -> Vec<String> {
    let (one, other) = (read(one), read(other));
    let names = one.keys().chain(other.keys().filter(|name| !one.contains_key(*name)));
    names.filter(|name| one.get(*name) != other.get(*name)).cloned().collect()
}
