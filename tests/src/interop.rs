//! One stack under two providers: states that the published Go provider wrote are continued by this one, and the other way
//! round. Nothing may be planned that the program did not ask for.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value as Json, json};

use crate::binaries::{built, repository};
use crate::cloud::Cloud;
use crate::sandbox::Sandbox;
use changes::{CHANGES, LOG_GROUP, NOT_THEIRS, paths_of, sent, wanted};

mod changes;

/// The version of the published provider whose states are recorded.
pub const PUBLISHED: &str = "1.84.0";
/// The program's secret; it must not stand in clear in a state that this provider wrote.
const API_KEY: &str = "made-up-interop-key";
const REGION: &str = "eu-west-1";

/// A stack, its cloud, and the providers that take turns.
pub struct Interop<'a> {
    cloud: Cloud,
    sandbox: Sandbox,
    peer: Option<PathBuf>,
    tell: &'a mut dyn FnMut(&str),
}

impl<'a> Interop<'a> {
    /// A stack that does not exist yet, beside resources that were made by hand. `peer` is the published provider's binary.
    ///
    /// # Errors
    ///
    /// When a tool is missing or refuses.
    pub fn new(peer: Option<&Path>, tell: &'a mut dyn FnMut(&str)) -> Result<Self> {
        let cloud = Cloud::start()?;
        cloud.make(REGION, "AWS::S3::Bucket", &json!({"BucketName": "made-by-hand"}))?;
        cloud.make(REGION, LOG_GROUP, &json!({"LogGroupName": "logs-by-hand", "RetentionInDays": 30}))?;
        let sandbox = Sandbox::of_program("interop", cloud.url())?;
        sandbox.configure("apiKey", API_KEY, true)?;
        for (key, value) in [("team", "core"), ("cost-center", "seventeen")] {
            sandbox.succeed(&["config", "set", "--path", &format!("aws-native:defaultTags.tags.{key}"), value])?;
        }
        Ok(Self { cloud, sandbox, peer: peer.map(Path::to_path_buf), tell })
    }

    /// A stack as the published provider left it, from the recordings.
    ///
    /// # Errors
    ///
    /// When the recordings are missing or are refused.
    pub fn recorded(tell: &'a mut dyn FnMut(&str)) -> Result<Self> {
        let interop = Self::new(None, tell)?;
        let text = std::fs::read_to_string(recordings().join("cloud.json")).context("reading the recorded cloud")?;
        interop.cloud.restore(&serde_json::from_str(&text)?)?;
        let state = recordings().join("state.json").display().to_string();
        interop.sandbox.succeed(&["stack", "import", "--file", &state])?;
        Ok(interop)
    }

    /// The published provider makes the stack; this one takes it over, changes it, and gives it back; it comes back once more
    /// and is destroyed. With `record` the state and the cloud after the first step are written down.
    ///
    /// # Errors
    ///
    /// When a plan holds what nobody asked for, or a command fails.
    pub fn there_and_back(&mut self, record: bool) -> Result<()> {
        self.theirs()?;
        self.up("published provider: up")?;
        if record {
            self.write_down()?;
        }
        self.under_ours()?;
        self.theirs()?;
        self.quiet("published provider, again")?;
        self.change_for_theirs(true)?;
        self.up("published provider: up with another change")?;
        self.ours()?;
        self.quiet("this provider, again")?;
        self.destroy("this provider")
    }

    /// What this provider does with a stack that the published one made.
    ///
    /// # Errors
    ///
    /// As [`Interop::there_and_back`].
    pub fn under_ours(&mut self) -> Result<()> {
        self.ours()?;
        self.quiet("this provider")?;
        self.change()?;
        self.cloud.forget_requests()?;
        self.up("this provider: up with a change of nearly every resource")?;
        let (wanted, sent) = (wanted(), sent(&self.cloud.mutations()?));
        let is_other = |name: &&String| wanted.get(*name) != sent.get(*name);
        let others: Vec<_> =
            wanted.keys().chain(sent.keys()).filter(is_other).map(|name| (name, sent.get(name))).collect();
        ensure!(others.is_empty(), "not the patches that were wanted: {others:?}");
        self.say(&format!("   {} updates, each at its path", sent.len()));
        self.quiet("this provider, after the change")
    }

    /// This provider makes the stack; the published one takes it over, changes it and destroys it.
    ///
    /// # Errors
    ///
    /// As [`Interop::there_and_back`].
    pub fn back(&mut self) -> Result<()> {
        self.ours()?;
        self.up("this provider: up")?;
        self.theirs()?;
        self.quiet("published provider")?;
        self.change_for_theirs(false)?;
        self.up("published provider: up with a change of nearly every resource")?;
        self.quiet("published provider, after the change")?;
        self.destroy("published provider")
    }

    /// The published provider makes the stack and refreshes it again and again, which wraps secrets deeper each time; then
    /// somebody changes a log group by hand. This provider sees that and nothing else.
    ///
    /// # Errors
    ///
    /// As [`Interop::there_and_back`].
    pub fn after_refreshes(&mut self) -> Result<()> {
        self.theirs()?;
        self.up("published provider: up")?;
        for _ in 0..3 {
            self.sandbox.succeed(&["refresh", "--yes", "--skip-preview"])?;
        }
        self.say("published provider: three refreshes");
        self.ours()?;
        self.only_drift()?;
        self.destroy("this provider")
    }

    /// Somebody changes a log group by hand; this provider sees that and nothing else.
    ///
    /// # Errors
    ///
    /// When it sees less or more.
    pub fn only_drift(&mut self) -> Result<()> {
        let patch = json!([{"op": "replace", "path": "/RetentionInDays", "value": 1}]);
        self.cloud.drift(LOG_GROUP, "logs-by-hand", &patch)?;
        self.sandbox.succeed(&["refresh", "--yes", "--skip-preview"])?;
        let plan = self.sandbox.preview()?;
        let step = plan.step("update", "logs").context("the drift is not planned to be repaired")?;
        ensure!(plan.steps.len() == 1 && step.changes.keys().eq(["retentionInDays"]), "more than the drift: {plan:?}");
        self.cloud.forget_requests()?;
        self.up("this provider: drift of one property, repaired")?;
        let sent = sent(&self.cloud.mutations()?);
        ensure!(sent == paths_of([(LOG_GROUP, ["/RetentionInDays"].as_slice())]), "{sent:?} was sent");
        self.quiet("this provider, after the repair")
    }

    /// Destroys everything; the cloud is empty then.
    ///
    /// # Errors
    ///
    /// When something is left.
    pub fn destroy(&mut self, who: &str) -> Result<()> {
        self.sandbox.succeed(&["destroy", "--yes", "--skip-preview"])?;
        let left = self.cloud.everything()?;
        ensure!(left.is_empty(), "after the destroy the cloud holds {left:?}");
        self.say(&format!("{who}: destroy, nothing left"));
        Ok(())
    }

    fn theirs(&self) -> Result<()> {
        self.sandbox.use_plugin(PUBLISHED, self.peer.as_deref().context("no published provider was given")?)
    }

    /// This provider is the one that is installed.
    ///
    /// # Errors
    ///
    /// When it is not built.
    pub fn ours(&self) -> Result<()> {
        self.sandbox.use_plugin(env!("CARGO_PKG_VERSION"), &built("pulumi-resource-aws-native")?)
    }

    fn up(&mut self, what: &str) -> Result<()> {
        self.sandbox.up().context(what.to_owned())?;
        if what.starts_with("this provider") {
            let state = self.sandbox.export()?.to_string();
            ensure!(!state.contains(API_KEY), "{what}: the secret stands in the state in clear");
        }
        self.say(what);
        Ok(())
    }

    /// Neither preview nor refresh nor a preview after it sees anything.
    fn quiet(&mut self, who: &str) -> Result<()> {
        let plan = self.sandbox.preview()?;
        ensure!(plan.is_empty(), "{who}: the preview wants {plan:#?}");
        let said = self.sandbox.run(&["refresh", "--yes", "--skip-preview", "--diff", "--expect-no-changes"])?;
        if !said.ok {
            bail!("{who}: the refresh sees changes:\n{}", said.all());
        }
        let plan = self.sandbox.preview()?;
        ensure!(plan.is_empty(), "{who}: the preview after the refresh wants {plan:#?}");
        self.say(&format!("{who}: preview, refresh and preview see nothing"));
        Ok(())
    }

    /// Changes the program for the published provider, `back` to what it was first or away from it.
    fn change_for_theirs(&self, back: bool) -> Result<()> {
        let changes = CHANGES.iter().filter(|(_, _, name, _)| *name != NOT_THEIRS);
        changes.into_iter().try_for_each(
            |(from, to, ..)| {
                if back { self.sandbox.edit(to, from) } else { self.sandbox.edit(from, to) }
            },
        )
    }

    fn change(&self) -> Result<()> {
        CHANGES.iter().try_for_each(|(from, to, ..)| self.sandbox.edit(from, to))
    }

    fn write_down(&mut self) -> Result<()> {
        let said = self.sandbox.succeed(&["stack", "export", "--show-secrets"])?;
        std::fs::create_dir_all(recordings())?;
        let mut state: Json = serde_json::from_str(&said.out)?;
        forget_the_day(&mut state);
        std::fs::write(recordings().join("state.json"), pretty(&state)?)?;
        std::fs::write(recordings().join("cloud.json"), pretty(&self.cloud.snapshot()?)?)?;
        self.say("   written down");
        Ok(())
    }

    fn say(&mut self, line: &str) {
        (self.tell)(line);
    }
}

/// Where the recordings are.
fn recordings() -> PathBuf {
    repository().join("tests/states").join(format!("go-{PUBLISHED}"))
}

fn pretty(json: &Json) -> Result<String> {
    Ok(format!("{}\n", serde_json::to_string_pretty(json)?))
}

/// Takes away when and from which line of which program each resource came.
fn forget_the_day(state: &mut Json) {
    let Some(resources) = state["deployment"]["resources"].as_array_mut() else { return };
    for member in ["created", "modified", "sourcePosition", "stackTrace"] {
        resources.iter_mut().filter_map(Json::as_object_mut).for_each(|resource| drop(resource.remove(member)));
    }
}
