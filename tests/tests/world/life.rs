//! The life of one resource, told as the engine tells it.

use std::collections::BTreeMap;

use bytes::Bytes;
use emulator::{Size, Which};
use metadata::view::{Operation, Resource};
use protocol::pulumirpc::property_diff::Kind;
use provider::convert::to_cfn;
use provider::marks::Mark;
use provider::place::Object;
use value::{Map, Urn};

use crate::engine::State;
use crate::program::{leaves, program, rewritten};
use crate::spellings::respelled;
use crate::world::{World, read};

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

pub(crate) fn is_refusal_of_the_schema(message: &str) -> bool {
    message.contains("Model validation failed")
}

/// One resource.
pub(crate) struct One<'w> {
    pub(crate) world: &'w World,
    pub(crate) resource: Resource,
    pub(crate) urn: String,
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
}

/// The names of members that differ.
fn differences(one: &Bytes, other: &Bytes) -> Vec<String> {
    let (one, other) = (read(one), read(other));
    let names = one.keys().chain(other.keys().filter(|name| !one.contains_key(*name)));
    names.filter(|name| one.get(*name) != other.get(*name)).cloned().collect()
}
