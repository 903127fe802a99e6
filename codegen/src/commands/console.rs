//! What people see: progress on a terminal, one line in a pipe, errors with their reasons.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is the command's voice")]

use std::io::{self, ErrorKind, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Standard error for progress and remarks; standard output for results.
#[derive(Debug)]
pub struct Console {
    terminal: bool,
}

impl Console {
    /// Looks whether a person watches.
    pub fn new() -> Self {
        Self { terminal: io::stderr().is_terminal() }
    }

    /// A bar that counts to `total`, or nothing where nobody watches.
    pub fn bar(&self, what: &'static str, total: usize) -> ProgressBar {
        let bar = match self.terminal {
            true => ProgressBar::new(total as u64),
            false => ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::hidden()),
        };
        let style = ProgressStyle::with_template("{msg:20} {bar:40} {pos}/{len}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(what);
        bar
    }

    /// A sign of life while something short goes on; where nobody watches, nothing.
    pub fn busy(&self, what: &'static str) -> ProgressBar {
        match self.terminal {
            true => self.spinner(what.to_owned()),
            false => ProgressBar::hidden(),
        }
    }

    /// A sign of life while something of unknown length goes on; where nobody watches, a line.
    pub fn spinner(&self, what: String) -> ProgressBar {
        if !self.terminal {
            eprintln!("{what}");
            return ProgressBar::hidden();
        }
        let spinner = ProgressBar::new_spinner().with_message(what);
        spinner.enable_steady_tick(Duration::from_millis(100));
        spinner
    }

    /// One line about what was done.
    pub fn summary(&self, line: &str) {
        eprintln!("{line}");
    }

    /// A result, to standard output.
    pub fn result(&self, text: &str) -> io::Result<()> {
        use io::Write;
        let mut out = io::stdout().lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            // The reader has seen enough, as with `| head`.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            result => result,
        }
    }
}

/// Prints an error with its reasons, and with what to do where the system refused something.
pub fn report_error(error: &anyhow::Error) {
    eprintln!("error: {}{}", with_reasons(error), advice(error));
}

/// What to do about an error of the system; nothing where the messages are enough.
fn advice(error: &anyhow::Error) -> &'static str {
    let kind = error.chain().find_map(|reason| reason.downcast_ref::<io::Error>()).map(io::Error::kind);
    match kind {
        Some(ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem) => {
            "; give the user who runs this the right to it, or name another place"
        }
        Some(ErrorKind::NotADirectory) => {
            "; a file stands where a folder is needed; name another place, or move the file"
        }
        Some(ErrorKind::StorageFull | ErrorKind::QuotaExceeded) => "; make room and run it again",
        _ => "",
    }
}

/// So many of something: `1 schema`, `2 schemas`.
pub fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

/// An error with its reasons, on one line. Messages that already quote their reason are not repeated.
pub fn with_reasons(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for reason in error.chain().skip(1) {
        let reason = reason.to_string();
        if !text.contains(&reason) {
            text.push_str(": ");
            text.push_str(&reason);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_of_the_system_have_a_next_step() {
        for (kind, expected) in [
            (ErrorKind::PermissionDenied, "; give the user"),
            (ErrorKind::ReadOnlyFilesystem, "; give the user"),
            (ErrorKind::NotADirectory, "; a file stands"),
            (ErrorKind::StorageFull, "; make room"),
            (ErrorKind::NotFound, ""),
        ] {
            let error = anyhow::Error::from(io::Error::from(kind)).context("x: cannot write");
            assert_eq!(advice(&error).get(..expected.len()), Some(expected), "{kind}");
            assert_eq!(advice(&error).is_empty(), expected.is_empty(), "{kind}");
        }
    }

    #[test]
    fn counts_agree_with_their_nouns() {
        assert_eq!([0, 1, 2].map(|count| counted(count, "file")), ["0 files", "1 file", "2 files"]);
    }
}
