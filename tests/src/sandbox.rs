//! A Pulumi home, a project folder and a file backend of their own, with the freshly built plugin or another one.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value as Json;

use crate::binaries;
use crate::plan::Plan;

mod plugin;

/// A place to run the real CLI in; everything is removed when it is dropped.
pub struct Sandbox {
    folder: tempfile::TempDir,
    environment: Vec<(String, String)>,
}

/// What one run of the CLI said.
#[derive(Debug, Clone)]
pub struct Said {
    /// Exit code 0.
    pub ok: bool,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Said {
    /// Everything that was printed.
    #[must_use]
    pub fn all(&self) -> String {
        format!("{}\n{}", self.out, self.err)
    }
}

impl Sandbox {
    /// Copies the program from `example` (a folder under `examples/`), installs the plugin, logs in to a file backend and
    /// creates the stack `dev`. The AWS SDK is pointed at `endpoint` with made-up credentials.
    ///
    /// # Errors
    ///
    /// When a tool is missing or refuses.
    pub fn new(example: &str, endpoint: &str) -> Result<Self> {
        let sandbox = Self::empty(endpoint)?;
        copy_folder(&binaries::repository().join("examples").join(example), &sandbox.program())?;
        sandbox.install_plugin()?;
        sandbox.succeed(&["stack", "init", "dev"])?;
        Ok(sandbox)
    }

    /// The same with a program of the tests (a folder under `tests/programs/`) and the freshly built plugin, which is put
    /// where an installation would put it.
    ///
    /// # Errors
    ///
    /// When a tool is missing or refuses.
    pub fn of_program(program: &str, endpoint: &str) -> Result<Self> {
        let sandbox = Self::empty(endpoint)?;
        copy_folder(&binaries::repository().join("tests/programs").join(program), &sandbox.program())?;
        sandbox.use_plugin(env!("CARGO_PKG_VERSION"), &binaries::built("pulumi-resource-aws-native")?)?;
        sandbox.succeed(&["stack", "init", "dev"])?;
        Ok(sandbox)
    }

    /// The same with a program that is given as text.
    ///
    /// # Errors
    ///
    /// When a tool is missing or refuses.
    pub fn of_text(program: &str, endpoint: &str) -> Result<Self> {
        let sandbox = Self::empty(endpoint)?;
        std::fs::create_dir_all(sandbox.program())?;
        sandbox.write_program(program)?;
        sandbox.use_plugin(env!("CARGO_PKG_VERSION"), &binaries::built("pulumi-resource-aws-native")?)?;
        sandbox.succeed(&["stack", "init", "dev"])?;
        Ok(sandbox)
    }

    /// Nothing but folders and variables.
    #[allow(clippy::disallowed_methods, reason = "the tools are looked for where the caller's shell looks for them")]
    fn empty(endpoint: &str) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("aws-native-").tempdir().context("making a temporary folder")?;
        let tools = binaries::tools()?;
        let path = std::env::var("PATH").unwrap_or_default();
        let home = folder.path().join("home");
        let backend = folder.path().join("backend");
        std::fs::create_dir_all(&home)?;
        std::fs::create_dir_all(&backend)?;
        let environment = [
            ("PATH", format!("{}:{path}", tools.display())),
            ("PULUMI_HOME", home.display().to_string()),
            ("PULUMI_BACKEND_URL", format!("file://{}", backend.display())),
            ("PULUMI_CONFIG_PASSPHRASE", "a passphrase for the demo".to_owned()),
            ("PULUMI_SKIP_UPDATE_CHECK", "true".to_owned()),
            ("PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION", "true".to_owned()),
            ("AWS_ENDPOINT_URL", endpoint.to_owned()),
            ("AWS_REGION", "eu-west-1".to_owned()),
            ("AWS_ACCESS_KEY_ID", "test".to_owned()),
            ("AWS_SECRET_ACCESS_KEY", "test".to_owned()),
            ("AWS_EC2_METADATA_DISABLED", "true".to_owned()),
            ("AWS_CONFIG_FILE", "/dev/null".to_owned()),
            ("AWS_SHARED_CREDENTIALS_FILE", "/dev/null".to_owned()),
        ];
        let environment = environment.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Ok(Self { folder, environment })
    }

    /// Exchanges a text that the program holds exactly once.
    ///
    /// # Errors
    ///
    /// When it holds it never or more than once.
    pub fn edit(&self, from: &str, to: &str) -> Result<()> {
        let path = self.program().join("Pulumi.yaml");
        let text = std::fs::read_to_string(&path)?;
        let found = text.matches(from).count();
        ensure!(found == 1, "the program holds {from:?} {found} times");
        Ok(std::fs::write(&path, text.replacen(from, to, 1))?)
    }

    /// Writes the whole program anew.
    ///
    /// # Errors
    ///
    /// When the file system refuses.
    pub fn write_program(&self, text: &str) -> Result<()> {
        Ok(std::fs::write(self.program().join("Pulumi.yaml"), text)?)
    }

    /// The folder with the program.
    #[must_use]
    pub fn program(&self) -> PathBuf {
        self.folder.path().join("program")
    }

    /// The Pulumi home.
    #[must_use]
    pub fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// Sets or replaces an environment variable for every later run.
    pub fn set_env(&mut self, name: &str, value: &str) {
        self.environment.retain(|(known, _)| known != name);
        self.environment.push((name.to_owned(), value.to_owned()));
    }

    /// The CLI with its environment, ready to be started.
    ///
    /// # Errors
    ///
    /// When the tools are missing.
    pub fn command(&self, arguments: &[&str]) -> Result<Command> {
        let mut command = Command::new(binaries::tools()?.join("pulumi"));
        command
            .args(["--non-interactive", "--color", "never"])
            .args(arguments)
            .current_dir(self.program())
            .env_remove("AWS_PROFILE")
            .env_remove("AWS_SESSION_TOKEN")
            .envs(self.environment.iter().map(|(name, value)| (name, value)));
        Ok(command)
    }

    /// Runs the CLI and takes whatever comes.
    ///
    /// # Errors
    ///
    /// When it cannot be started.
    pub fn run(&self, arguments: &[&str]) -> Result<Said> {
        let output = self.command(arguments)?.output().context("starting pulumi")?;
        Ok(Said {
            ok: output.status.success(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    }

    /// Runs the CLI and insists on exit code 0.
    ///
    /// # Errors
    ///
    /// When it ends with another code; the text holds what it said.
    pub fn succeed(&self, arguments: &[&str]) -> Result<Said> {
        let said = self.run(arguments)?;
        ensure!(said.ok, "pulumi {} failed:\n{}\n{}", arguments.join(" "), said.out, said.err);
        Ok(said)
    }

    /// Sets a configuration value of the stack, encrypted when `secret`.
    ///
    /// # Errors
    ///
    /// As [`Sandbox::succeed`].
    pub fn configure(&self, key: &str, value: &str, secret: bool) -> Result<()> {
        let marker = if secret { "--secret" } else { "--plaintext" };
        self.succeed(&["config", "set", marker, key, value]).map(|_| ())
    }

    /// `pulumi preview`, as data.
    ///
    /// # Errors
    ///
    /// As [`Sandbox::succeed`].
    pub fn preview(&self) -> Result<Plan> {
        Plan::parse(&self.succeed(&["preview", "--json", "--diff"])?.out)
    }

    /// `pulumi up`.
    ///
    /// # Errors
    ///
    /// As [`Sandbox::succeed`].
    pub fn up(&self) -> Result<Said> {
        self.succeed(&["up", "--yes", "--skip-preview"])
    }

    /// The state as `pulumi stack export` writes it: secrets encrypted.
    ///
    /// # Errors
    ///
    /// As [`Sandbox::succeed`].
    pub fn export(&self) -> Result<Json> {
        let said = self.succeed(&["stack", "export"])?;
        serde_json::from_str(&said.out).context("reading the exported state")
    }

    /// The resources of the state that have an identifier: the state's own form, in its order.
    ///
    /// # Errors
    ///
    /// As [`Sandbox::succeed`].
    pub fn state(&self) -> Result<Vec<Json>> {
        let export = self.export()?;
        let resources = export["deployment"]["resources"].as_array().cloned().unwrap_or_default();
        Ok(resources.into_iter().filter(|resource| resource["custom"] == true && !is_provider(resource)).collect())
    }

    /// Mends what the engine did not finish writing when it was killed: the attributes beside a checkpoint are written in
    /// place, and nothing reads a checkpoint whose attributes are empty. Whether there was anything to mend.
    ///
    /// # Errors
    ///
    /// When the file system refuses, or when a checkpoint itself is half written and has no backup.
    pub fn mend_checkpoint(&self) -> Result<bool> {
        let mut torn = false;
        for project in std::fs::read_dir(self.folder.path().join("backend/.pulumi/stacks"))?.filter_map(Result::ok) {
            let (file, attributes) = (project.path().join("dev.json"), project.path().join("dev.json.attrs"));
            if attributes.exists() && !is_json(&attributes) {
                std::fs::remove_file(&attributes)?;
                torn = true;
            }
            if !is_json(&file) {
                std::fs::copy(project.path().join("dev.json.bak"), &file).context("the checkpoint has no backup")?;
                torn = true;
            }
        }
        Ok(torn)
    }
}

fn is_json(path: &Path) -> bool {
    serde_json::from_slice::<Json>(&std::fs::read(path).unwrap_or_default()).is_ok()
}

fn is_provider(resource: &Json) -> bool {
    resource["type"].as_str().is_some_and(|name| name.starts_with("pulumi:providers:"))
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from).with_context(|| format!("reading {}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
