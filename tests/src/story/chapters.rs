//! The chapters of the story.

use anyhow::{Context, Result, ensure};
use serde_json::json;

use super::{API_KEY, DB_PASSWORD, Story, resources};

impl Story<'_> {
    pub(super) fn create(&mut self) -> Result<()> {
        self.chapter("1. pulumi up: a new stack");
        let plan = self.preview("create")?;
        let creates = plan.steps.iter().filter(|step| step.operation == "create").count();
        ensure!(creates >= 9, "the preview creates {creates} resources, not the stack and its eight resources");
        self.up("create")?;
        self.say(&format!("   {} resources exist now. The cloud saw:", creates - 1));
        self.say_mutations("create");
        let (_, state) = self.evidence.exports.last().context("no exported state")?;
        let state = state.to_string();
        ensure!(!state.contains(API_KEY) && !state.contains(DB_PASSWORD), "a secret stands in clear in the state");
        self.say("   state: the function's API_KEY and the parameter's value are encrypted, wherever they are echoed");
        Ok(())
    }

    pub(super) fn nothing_to_do(&mut self) -> Result<()> {
        self.chapter("2. pulumi preview: nothing to do");
        let plan = self.preview("preview")?;
        ensure!(plan.is_empty(), "a preview right after the creation wants {plan:?}");
        self.say("   no changes");
        Ok(())
    }

    pub(super) fn nested_change(&mut self) -> Result<()> {
        self.chapter("3. pulumi config set versioning Suspended; pulumi up: one nested property");
        self.sandbox.configure("versioning", "Suspended", false)?;
        let plan = self.preview("update")?;
        let step = plan.step("update", "uploads").context("the preview does not update the bucket")?;
        ensure!(plan.steps.len() == 1, "the preview changes more than the bucket: {plan:?}");
        ensure!(
            step.changes.keys().eq(["versioningConfiguration.status"]),
            "the plan names {:?} instead of the one nested property",
            step.changes
        );
        self.up("update")?;
        let seen = self.evidence.mutations("update");
        ensure!(seen.len() == 1 && seen[0].patch.len() == 1, "the cloud saw more than one small patch: {seen:?}");
        ensure!(self.preview("after update")?.is_empty(), "a preview after the update is not empty");
        self.say_mutations("update");
        Ok(())
    }

    pub(super) fn quiet_refresh(&mut self) -> Result<()> {
        self.chapter("4. pulumi refresh: the cloud is as recorded");
        let before = self.sandbox.export()?;
        self.run(&["refresh", "--yes", "--skip-preview", "--expect-no-changes"])?;
        let (before, after) = (resources(&before), resources(&self.sandbox.export()?));
        for (before, after) in before.iter().zip(&after) {
            ensure!(before == after, "a refresh without drift changed the state\nfrom {before}\nto   {after}");
        }
        ensure!(before.len() == after.len(), "a refresh without drift changed the number of resources");
        self.say("   no changes");
        Ok(())
    }

    pub(super) fn drift_and_repair(&mut self) -> Result<()> {
        self.chapter("5. somebody shortens the log retention by hand; pulumi refresh shows it, pulumi up repairs it");
        let (group, _) = self.only("AWS::Logs::LogGroup")?;
        let patch = json!([{"op": "replace", "path": "/RetentionInDays", "value": 1}]);
        self.cloud.drift("AWS::Logs::LogGroup", &group, &patch)?;
        let said = self.run(&["refresh", "--yes", "--skip-preview", "--diff"])?;
        let shown = said.lines().find(|line| line.contains("retentionInDays"));
        let shown = shown.with_context(|| format!("the refresh does not show the drift:\n{said}"))?;
        self.say(&format!("   refresh: aws-native:logs:LogGroup workerLogs {}", shown.trim()));
        let plan = self.preview("drift")?;
        let step = plan.step("update", "workerLogs").context("the preview does not repair the log group")?;
        ensure!(
            plan.steps.len() == 1 && step.changes.contains_key("retentionInDays"),
            "the repair is not small: {plan:?}"
        );
        self.up("drift")?;
        let (_, model) = self.only("AWS::Logs::LogGroup")?;
        ensure!(model["RetentionInDays"] == json!(14), "the log group was not repaired: {model}");
        self.say_mutations("drift");
        Ok(())
    }

    pub(super) fn replacement(&mut self) -> Result<()> {
        self.chapter("6. pulumi config set ordersTable …; pulumi up: a name that cannot be changed in place");
        self.sandbox.configure("ordersTable", "first-steps-orders-v2", false)?;
        let plan = self.preview("replace")?;
        let step = plan.step("replace", "orders").or_else(|| plan.step("create-replacement", "orders"));
        let step = step.context("the preview does not replace the table")?;
        ensure!(
            step.changes.get("tableName").is_some_and(|kind| kind.contains("replace")),
            "the plan does not say that tableName forces the replacement: {:?}",
            step.changes
        );
        self.up("replace")?;
        let (table, _) = self.only("AWS::DynamoDB::Table")?;
        ensure!(table == "first-steps-orders-v2", "the cloud holds the table {table}");
        ensure!(self.preview("after replace")?.is_empty(), "a preview after the replacement is not empty");
        self.say_mutations("replace");
        self.say("   (Lists are replaced whole; the function's code is write-only, so an update sends it again.)");
        Ok(())
    }

    pub(super) fn destroy(&mut self) -> Result<()> {
        self.chapter("7. pulumi destroy");
        self.run(&["destroy", "--yes", "--skip-preview"])?;
        self.evidence.mutations.push(("destroy", self.cloud.mutations()?));
        let left = self.cloud.resources("AWS::S3::Bucket")?;
        ensure!(left.is_empty(), "the cloud still holds {left:?}");
        self.say_mutations("destroy");
        Ok(())
    }
}
