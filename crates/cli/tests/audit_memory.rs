//! `thusfar audit` holds as much of a long log as of a short one: the peak of its resident memory, as the system counts it.
#![cfg(target_os = "linux")]

mod support;

use std::fs;
use std::io::{Read as _, Write as _};
use std::process::Child;

use serde_json::{Value, json};
use support::command;

const LINES: u64 = 100_000;
/// Lines after which everything that has a bound may have reached it.
const WARM: u64 = 25_000;

/// Kibibytes of the most memory that a process has had (`VmHWM`).
fn peak(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("the process lives");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the system counts it");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}

/// A line of a log in which nothing comes up twice: names, codes, ids, lengths.
fn line(number: u64) -> String {
    let pad = "x".repeat((number * 7919 % 600) as usize);
    let name = format!("n{}", number * 7919 % LINES);
    let line = match number % 4 {
        0 => json!({"id": name, "text": format!("{{\"a\": \"{pad}\", \"b\": [1,],}}")}),
        1 => json!({"id": name, "model": name, "text": format!("{{\"a\": \"{pad}")}),
        2 => {
            json!({"id": name, "text": format!("{{\"{pad}\": {number}}}"), "schema": {"maxProperties": 0, "title": name}})
        }
        _ => json!({"id": name, "outcome": name, "repairs": [{"kind": name}], "warnings": [{"kind": name}],
                    "failure": {"code": name, "excerpt": pad}, "violations": [{"keyword": name, "message": pad}]}),
    };
    line.to_string() + "\n"
}

#[test]
fn a_hundred_thousand_lines_take_no_more_memory_than_a_few() {
    let mut command = command(&["audit", "--json", "--jobs", "2", "-"]);
    // What the command lets go is not kept by the allocator: otherwise its store would be measured.
    command.env("MALLOC_MMAP_THRESHOLD_", "65536").env("MALLOC_ARENA_MAX", "1");
    let mut child = command.spawn().expect("the command starts");
    let mut input = child.stdin.take().expect("standard input is piped");
    // Each part in one go: faster than it can be judged, so that as much waits as may wait.
    let parts = [0..WARM, WARM..LINES].map(|part| part.map(line).collect::<String>());
    let peaks = parts.each_ref().map(|part| {
        // What is not read when this ends is in a pipe, whose size is bounded.
        input.write_all(part.as_bytes()).expect("the command reads");
        peak(&child)
    });
    let grown = peaks[1] - peaks[0];
    drop(input);
    let mut told = String::new();
    child.stdout.take().expect("standard output is piped").read_to_string(&mut told).expect("UTF-8");
    assert_eq!(child.wait().expect("the command ends").code(), Some(1));
    let summary: Value = serde_json::from_str(&told).expect("JSON");
    assert_eq!((&summary["lines"], &summary["unreadable"]), (&json!(LINES), &json!(0)));
    assert!(told.len() < 64 << 10, "{} bytes are told", told.len());
    let (warm, read) = (peaks[0], parts[1].len() >> 10);
    assert!(grown < 2 << 10 && read > 16 << 10, "{grown} KiB more than {warm}, for {read} KiB of log");
}
