//! The real engine as a running process, the plugin that it started, and ending either at a chosen moment.

use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::sandbox::{Said, Sandbox};

/// The name of the plugin's executable.
const PLUGIN: &str = "pulumi-resource-aws-native";
/// How often the table of connections is read before a socket counts as gone.
const READINGS: usize = 20;

/// A running CLI. Dropping it kills it.
pub struct Engine {
    child: Child,
    out: File,
    err: File,
}

impl Engine {
    /// Starts the CLI in `sandbox`, in a process group of its own, so that what is sent to it reaches nobody else.
    ///
    /// # Errors
    ///
    /// When it cannot be started.
    pub fn start(sandbox: &Sandbox, arguments: &[&str]) -> Result<Self> {
        use std::os::unix::process::CommandExt as _;
        let (out, err) = (tempfile::tempfile()?, tempfile::tempfile()?);
        let child = sandbox
            .command(arguments)?
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(out.try_clone()?)
            .stderr(err.try_clone()?)
            .spawn()
            .context("starting pulumi")?;
        Ok(Self { child, out, err })
    }

    /// The process id of the CLI, which is also its group's.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the end.
    ///
    /// # Errors
    ///
    /// When the system cannot tell how it ended.
    pub fn wait(mut self) -> Result<Said> {
        let status = self.child.wait()?;
        Ok(Said { ok: status.success(), out: whole(&mut self.out)?, err: whole(&mut self.err)? })
    }

    /// What was printed until now.
    ///
    /// # Errors
    ///
    /// When the files cannot be read.
    pub fn printed(&mut self) -> Result<String> {
        Ok(format!("{}\n{}", whole(&mut self.out)?, whole(&mut self.err)?))
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Nothing can be done about a process that is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The plugin processes of this machine that run below the process `ancestor`.
#[must_use]
pub fn plugins(ancestor: u32) -> Vec<u32> {
    every_process().into_iter().filter(|pid| is_plugin(*pid) && is_below(*pid, ancestor)).collect()
}

/// All processes of this machine that run below the process `ancestor`, and that one itself.
#[must_use]
pub fn family(ancestor: u32) -> Vec<u32> {
    every_process().into_iter().filter(|pid| is_below(*pid, ancestor)).collect()
}

/// The plugin process that holds the near end of a connection, as its other end sees it.
#[must_use]
pub fn plugin_behind(peer: SocketAddr) -> Option<u32> {
    let wanted: Vec<PathBuf> =
        socket_inodes(peer).into_iter().map(|inode| PathBuf::from(format!("socket:[{inode}]"))).collect();
    every_process().into_iter().filter(|pid| is_plugin(*pid)).find(|pid| {
        let Ok(open) = std::fs::read_dir(format!("/proc/{pid}/fd")) else { return false };
        open.filter_map(Result::ok).any(|entry| std::fs::read_link(entry.path()).is_ok_and(|to| wanted.contains(&to)))
    })
}

/// Sends a signal (`KILL`, `INT`) to a process, or with a minus in front of the number to its group.
///
/// # Errors
///
/// When there is no such process, or no `kill`.
pub fn signal(name: &str, target: &str) -> Result<()> {
    let status = Command::new("kill").args(["-s", name, "--", target]).stderr(Stdio::null()).status()?;
    ensure!(status.success(), "no process {target} to send SIG{name} to");
    Ok(())
}

/// True while a process lives; one that ended and was not waited for does not.
#[must_use]
pub fn lives(pid: u32) -> bool {
    stat(pid).is_some_and(|fields| fields.first().is_some_and(|state| state != "Z"))
}

fn whole(file: &mut File) -> Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn every_process() -> Vec<u32> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect()
}

/// By the command line, as the plugin may be a link to a file of another name.
fn is_plugin(pid: u32) -> bool {
    let Ok(line) = std::fs::read(format!("/proc/{pid}/cmdline")) else { return false };
    let first = line.split(|byte| *byte == 0).next().unwrap_or_default();
    Path::new(&*String::from_utf8_lossy(first)).file_name().is_some_and(|name| name == PLUGIN)
}

fn is_below(pid: u32, ancestor: u32) -> bool {
    let mut current = pid;
    while current > 1 {
        if current == ancestor {
            return true;
        }
        let parent = stat(current).and_then(|fields| fields.get(1)?.parse().ok());
        current = parent.unwrap_or_default();
    }
    false
}

/// The fields of `/proc/PID/stat` behind the name: state, parent, group and so on.
pub(crate) fn stat(pid: u32) -> Option<Vec<String>> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, rest) = text.rsplit_once(')')?;
    Some(rest.split_whitespace().map(str::to_owned).collect())
}

/// The inodes of the sockets whose local address is `local`: one, or several where connections to different places share
/// a port. The table of TCP connections is read page by page while others come and go, so one reading may miss a row.
fn socket_inodes(local: SocketAddr) -> Vec<String> {
    let SocketAddr::V4(local) = local else { return Vec::new() };
    let address = format!("{:08X}:{:04X}", u32::from_ne_bytes(local.ip().octets()), local.port());
    (0..READINGS)
        .filter_map(|_| std::fs::read_to_string("/proc/net/tcp").ok())
        .map(|table| inodes_in(&table, &address))
        .find(|inodes| !inodes.is_empty())
        .unwrap_or_default()
}

/// A row without an inode is a connection that is over and waits for its last packets.
fn inodes_in(table: &str, address: &str) -> Vec<String> {
    let rows = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    rows.filter(|fields| fields.get(1) == Some(&address))
        .filter_map(|fields| fields.get(9).filter(|inode| **inode != "0").map(|inode| (*inode).to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use super::{inodes_in, is_below, lives, socket_inodes};

    #[test]
    fn the_socket_of_a_connection_is_found() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (_, peer) = listener.accept().unwrap();
        assert_eq!(peer, stream.local_addr().unwrap());
        assert!(!socket_inodes(peer).is_empty());
    }

    #[test]
    fn a_connection_that_is_over_has_no_socket() {
        let row = |remote: &str, state: &str, inode: &str| {
            format!(
                "   0: 0100007F:A1B2 {remote} {state} 00000000:00000000 00:00000000 00000000     0        0 {inode} 1"
            )
        };
        let over = row("0100007F:1F90", "06", "0");
        let table = [over.clone(), row("0100007F:1F91", "01", "4711"), row("0100007F:1F92", "01", "4712")].join("\n");
        assert_eq!(inodes_in(&table, "0100007F:A1B2"), ["4711", "4712"]);
        assert!(inodes_in(&table, "0100007F:A1B3").is_empty() && inodes_in(&over, "0100007F:A1B2").is_empty());
    }

    #[test]
    fn a_process_is_below_itself_and_lives() {
        let own = std::process::id();
        assert!(is_below(own, own) && lives(own) && !is_below(own, u32::MAX));
    }
}
