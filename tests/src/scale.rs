//! Many resources at once through the real engine: what a provider's processes cost while they are created, updated and
//! destroyed.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use crate::bench::memory_kib;
use crate::cloud::Cloud;
use crate::engine_child::{Engine, plugins, stat};
use crate::sandbox::Sandbox;

/// How often processes are looked at; what they do after the last look is not counted.
const LOOK: Duration = Duration::from_millis(10);

/// A provider to measure.
#[derive(Debug, Clone)]
pub struct Side {
    /// The plugin's version, under which it is installed.
    pub version: String,
    /// The plugin's executable.
    pub binary: PathBuf,
}

/// What one command cost.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cost {
    /// From start to end of the engine, in seconds.
    pub wall: f64,
    /// User and system time of all plugin processes of the engine, in seconds.
    pub cpu: f64,
    /// The largest resident size that any plugin process had, in MiB.
    pub peak: f64,
}

/// The costs of `up`, of `up` with a change of every resource, and of `destroy`.
pub type Costs = [(&'static str, Cost); 3];

/// Creates, updates and destroys `count` resources of four types, half of them with generated names, 256 at once. `profile`
/// is the emulator's.
///
/// # Errors
///
/// When a command fails, or when state and cloud do not hold what they should.
pub fn measure(side: &Side, count: usize, profile: &str, seed: u64) -> Result<Costs> {
    let cloud = Cloud::start_with(profile, seed)?;
    let mut sandbox = Sandbox::of_text(&program(count, "first"), cloud.url())?;
    sandbox.use_plugin(&side.version, &side.binary)?;
    // Writing the whole state after every step would be all that is measured.
    sandbox.set_env("PULUMI_EXPERIMENTAL", "true");
    sandbox.set_env("PULUMI_SKIP_CHECKPOINTS", "true");
    let up = ["up", "--yes", "--skip-preview", "--suppress-progress", "--parallel", "256"];
    let created = run(&sandbox, &up)?;
    holds(&sandbox, &cloud, count)?;

    cloud.forget_requests()?;
    sandbox.write_program(&program(count, "second"))?;
    let updated = run(&sandbox, &up)?;
    holds(&sandbox, &cloud, count)?;
    let changed = cloud.everything()?.iter().filter(|(.., model)| model.to_string().contains("second")).count();
    ensure!(changed == count, "{changed} of {count} resources were updated");

    let destroyed = run(&sandbox, &["destroy", "--yes", "--skip-preview", "--suppress-progress", "--parallel", "256"])?;
    holds(&sandbox, &cloud, 0)?;
    Ok([("create", created), ("update", updated), ("destroy", destroyed)])
}

fn holds(sandbox: &Sandbox, cloud: &Cloud, count: usize) -> Result<()> {
    let (state, live) = (sandbox.state()?.len(), cloud.everything()?.len());
    ensure!((state, live) == (count, count), "the state has {state}, the cloud {live} of {count} resources");
    Ok(())
}

fn run(sandbox: &Sandbox, arguments: &[&str]) -> Result<Cost> {
    let begin = Instant::now();
    let engine = Engine::start(sandbox, arguments)?;
    let over = Arc::new(AtomicBool::new(false));
    let (pid, flag) = (engine.id(), Arc::clone(&over));
    let observer = std::thread::spawn(move || observe(pid, &flag));
    let said = engine.wait()?;
    over.store(true, Ordering::SeqCst);
    let wall = begin.elapsed().as_secs_f64();
    ensure!(said.ok, "pulumi {} failed:\n{}", arguments.join(" "), said.all());
    let (cpu, peak) = observer.join().unwrap_or_default();
    ensure!(cpu > 0.0, "no plugin was seen at work");
    Ok(Cost { wall, cpu, peak })
}

/// CPU seconds and peak MiB of the plugins below `engine`, until it is over.
fn observe(engine: u32, over: &AtomicBool) -> (f64, f64) {
    let mut seen: BTreeMap<u32, (f64, u64)> = BTreeMap::new();
    let mut looks = 0_usize;
    while !over.load(Ordering::SeqCst) {
        // Searching all processes costs more than looking at the known ones.
        if looks.is_multiple_of(20) {
            for pid in plugins(engine) {
                seen.entry(pid).or_default();
            }
        }
        looks += 1;
        for (pid, (cpu, peak)) in &mut seen {
            *cpu = cpu.max(cpu_seconds(*pid));
            *peak = memory_kib(*pid, "VmHWM").max(*peak);
        }
        std::thread::park_timeout(LOOK);
    }
    let cpu = seen.values().map(|(cpu, _)| cpu).sum();
    let peak = seen.values().map(|(_, peak)| *peak).max().unwrap_or_default();
    (cpu, peak as f64 / 1024.0)
}

/// User and system time that a process has used, threads that ended too; 0 when it is gone.
fn cpu_seconds(pid: u32) -> f64 {
    let fields = stat(pid).unwrap_or_default();
    let ticks = |place: usize| fields.get(place).and_then(|field| field.parse::<f64>().ok()).unwrap_or_default();
    // Linux counts these ticks in hundredths of a second.
    (ticks(11) + ticks(12)) / 100.0
}

/// `count` resources of four types that need nothing of each other.
fn program(count: usize, version: &str) -> String {
    let mut text = "name: scale\nruntime: yaml\nresources:\n".to_owned();
    for number in 0..count {
        let (token, properties) = match number % 4 {
            0 => {
                let tags = format!("tags: [{{ key: version, value: {version} }}]");
                ("logs:LogGroup", format!("logGroupName: group-{number}, retentionInDays: 7, {tags}"))
            }
            1 => ("sqs:Queue", format!("visibilityTimeout: 30, tags: [{{ key: version, value: {version} }}]")),
            2 => ("ssm:Parameter", format!("name: /scale/{number}, type: String, value: {version}")),
            _ => {
                let policy = "assumeRolePolicyDocument: { Version: '2012-10-17', Statement: [] }";
                ("iam:Role", format!("description: {version}, {policy}"))
            }
        };
        // Writing to a string cannot fail.
        let _ = write!(text, "  r{number}:\n    type: aws-native:{token}\n    properties: {{ {properties} }}\n");
    }
    text
}

/// One line for each command, this provider first; with ratios when there are two.
#[must_use]
pub fn table(count: usize, sides: &[Costs]) -> String {
    let mut text = format!("{count} resources{:>24}{:>12}{:>14}\n", "wall (s)", "CPU (s)", "peak (MiB)");
    for step in 0..3 {
        for (side, costs) in ["ours", "peer"].iter().zip(sides) {
            let (name, cost) = costs[step];
            let _ = writeln!(
                text,
                "{:<18}{:>20.2}{:>12.2}{:>14.1}",
                format!("{name}, {side}"),
                cost.wall,
                cost.cpu,
                cost.peak
            );
        }
        if let [ours, theirs] = sides {
            let (ours, theirs) = (ours[step].1, theirs[step].1);
            let _ = writeln!(
                text,
                "{:<18}{:>20.3}{:>12.3}{:>14.3}",
                "   ratio",
                ours.wall / theirs.wall,
                ours.cpu / theirs.cpu,
                ours.peak / theirs.peak
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Cost, cpu_seconds, program, table};

    #[test]
    fn a_program_has_as_many_resources_as_asked_for() {
        assert_eq!(program(9, "first").matches("type: aws-native:").count(), 9);
    }

    #[test]
    fn ratios_are_shown_for_two_sides() {
        let costs = |cpu| ["create", "update", "destroy"].map(|name| (name, Cost { wall: 1.0, cpu, peak: 2.0 }));
        assert!(table(4, &[costs(1.0), costs(4.0)]).contains("0.250"));
        assert!(!table(4, &[costs(1.0)]).contains("ratio"));
    }

    #[test]
    fn a_process_that_is_gone_has_used_nothing() {
        assert!(cpu_seconds(u32::MAX).abs() < f64::EPSILON);
    }
}
