//! Runs the built command.
#![allow(dead_code, reason = "each test binary uses some of it")]

pub(crate) mod chat; // streams, put together
pub(crate) mod counted; // what an audit counted
pub(crate) mod patch; // applies what `watch` prints

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What a run left behind.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The command, with nothing of the environment that could colour its output.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_thusfar"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the command with `stdin` and waits for its end.
pub(crate) fn run(args: &[&str], stdin: impl AsRef<[u8]>) -> Run {
    let mut child = command(args).spawn().expect("the command starts");
    let mut input = child.stdin.take().expect("standard input is piped");
    let bytes = stdin.as_ref().to_vec();
    // On a thread of its own: the command may write before it has read everything, or stop reading early.
    let writer = std::thread::spawn(move || drop(input.write_all(&bytes)));
    let output = child.wait_with_output().expect("the command ends");
    writer.join().expect("the writer ends");
    Run {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("standard output is UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("standard error is UTF-8"),
    }
}

/// One of `examples/replies/`.
pub(crate) fn example(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/replies").join(name);
    path.into_os_string().into_string().expect("a path in UTF-8")
}

/// One of `examples/schemas/`.
pub(crate) fn example_schema(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/schemas").join(name);
    path.into_os_string().into_string().expect("a path in UTF-8")
}

static FILES: AtomicUsize = AtomicUsize::new(0);

/// A file with `text` that is removed at the end.
pub(crate) struct File(PathBuf);

impl File {
    pub(crate) fn with(name: &str, text: impl AsRef<[u8]>) -> Self {
        // Tests run beside one another, and some of them name a file alike.
        let number = FILES.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("thusfar-{}-{number}-{name}", std::process::id()));
        std::fs::write(&path, text).expect("a file can be written");
        Self(path)
    }

    pub(crate) fn path(&self) -> &str {
        self.0.to_str().expect("a path in UTF-8")
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
