//! `thusfar watch`, as a shell sees it.

mod support;

use std::io::Write as _;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::patch::apply;
use support::{File, Run, command, example, run};

const EXAMPLES: [&str; 7] = [
    "fenced-with-comments.txt",
    "bare-in-prose.txt",
    "reasoning.txt",
    "cut.txt",
    "two-answers.txt",
    "broken.txt",
    "recipe.txt",
];

fn lines(told: &Run) -> Vec<Value> {
    assert!(told.stdout.is_empty() || told.stdout.ends_with('\n'), "{told:?}");
    told.stdout.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

#[test]
fn each_chunk_that_changes_something_is_a_line() {
    let told = run(&["watch", "--chunk", "9"], "{\"name\": \"Ada\", \"age\": 36,} Done.");
    let expected = r#"{"bytes":9,"changes":[{"seq":1,"change":"opened","path":"","kind":"object"}]}
{"bytes":18,"changes":[{"seq":2,"change":"opened","path":"/name","kind":"string"},{"seq":3,"change":"grew","path":"/name","text":"Ada"},{"seq":4,"change":"closed","path":"/name","kind":"string"}]}
{"bytes":27,"changes":[{"seq":5,"change":"closed","path":"/age","kind":"number","json":"36"},{"seq":6,"change":"closed","path":"","kind":"object"},{"seq":7,"change":"root_closed"}]}
{"bytes":33,"report":{"outcome":"ok","document":{"name": "Ada", "age": 36},"repairs":[{"kind":"trailing_comma","offset":25,"line":1,"column":26,"before":",","after":""}],"warnings":[]}}
"#;
    assert_eq!(told, Run { code: Some(0), stdout: expected.into(), stderr: String::new() });
}

#[test]
fn the_last_line_is_the_report_of_parse() {
    for name in EXAMPLES {
        let name = example(name);
        let (parsed, told) = (run(&["parse", "--json", &name], ""), run(&["watch", &name], ""));
        assert_eq!((told.code, told.stderr.as_str()), (parsed.code, ""), "{name}");
        let last = told.stdout.lines().last().expect("a line");
        let report = last.split_once(",\"report\":").map(|(_, report)| report.strip_suffix('}'));
        assert_eq!(report, Some(Some(parsed.stdout.trim_end())), "{name}");
    }
    assert_eq!(run(&["watch", "--root", "array"], "{\"a\": 1}").code, Some(1));
    assert_eq!(run(&["watch", "--take", "last"], "{\"a\": 1} {\"a\": 2}").code, Some(0));
    assert_eq!(run(&["watch", "--no-repair", "trailing_comma"], "{\"a\": 1,}").code, Some(1));
    let told = run(&["watch", "--ending", "length"], "{\"a\": ");
    assert_eq!(lines(&told).pop().expect("a line")["report"]["failure"]["cause"], "budget");
}

#[test]
fn what_only_the_end_makes_certain_is_told_with_it() {
    let told = run(&["watch", "--json-patch", "--root", "value", "--ending", "stop"], "42");
    let expected = "[{\"op\":\"add\",\"path\":\"\",\"value\":42}]\n";
    assert_eq!(told, Run { code: Some(0), stdout: expected.into(), stderr: String::new() });
    let told = run(&["watch", "--root", "value", "--ending", "stop", "--chunk", "1"], "42");
    let [changes, report] = &lines(&told)[..] else { panic!("two lines: {told:?}") };
    assert_eq!((&changes["bytes"], &changes["changes"][0]["json"]), (&json!(2), &json!("42")));
    assert_eq!(report["report"]["document"], 42);
}

#[test]
fn patches_build_the_document() {
    let texts = [
        r#"{"a~/": {"": [[], {}, "x\n\u00e9", -1.50, true, null]}, "b": "long text in a few pieces"}"#,
        "First {x} and [1] then {\"yes\": [\"é漢🙂\", {\"k\": {\"k\": \"\"}}]}.",
        "Draft: {\"a\": 1}\n```json\n{\"b\": [2, 3]}\n```\n",
        "{\\\"a\\\": \\\"x\\\", \\\"b\\\": [1, 2]}",
    ];
    let examples = EXAMPLES.map(|name| std::fs::read_to_string(example(name)).expect("a file"));
    let mut whole = 0;
    for text in texts.into_iter().map(String::from).chain(examples) {
        let parsed = run(&["parse"], &text);
        for len in ["1", "2", "3", "5", "16", "1000"] {
            let told = run(&["watch", "--json-patch", "--chunk", len], &text);
            let mut document = Value::Null;
            lines(&told).iter().for_each(|patch| apply(patch, &mut document));
            // A source line is quoted as far as it was read.
            let first = |run: &Run| run.stderr.lines().next().map(str::to_owned);
            assert_eq!((told.code, first(&told)), (parsed.code, first(&parsed)), "{text}");
            if parsed.code == Some(0) {
                assert_eq!(document, serde_json::from_str::<Value>(&parsed.stdout).expect("JSON"), "{text}");
                whole += 1;
            }
        }
    }
    assert_eq!(whole, 6 * 8, "most of them have a document");
}

#[test]
fn a_view_is_a_line_for_each_piece() {
    let told = run(&["watch", "--views", "--chunk", "12"], "{\"items\": [\n  1.50,\r\n  \"é\"], \"rest\": {} }.");
    let expected = r#"{"bytes":12,"view":{"items": []},"closed":[]}
{"bytes":24,"view":{"items": [   1.50,    ""]},"closed":["/items/0"]}
{"bytes":36,"view":{"items": [   1.50,    "é"]},"closed":["/items","/items/0","/items/1"]}
{"bytes":43,"view":{"items": [   1.50,    "é"], "rest": {} },"closed":["","/items","/items/0","/items/1","/rest"]}
"#;
    assert_eq!(told, Run { code: Some(0), stdout: expected.into(), stderr: String::new() });
    let told = run(&["watch", "--views", "--chunk=3"], "I can not.");
    let expected = "{\"bytes\":3,\"view\":null,\"closed\":[]}\n{\"bytes\":6,\"view\":null,\"closed\":[]}\n\
                    {\"bytes\":9,\"view\":null,\"closed\":[]}\n{\"bytes\":10,\"view\":null,\"closed\":[]}\n";
    assert_eq!((told.code, told.stdout.as_str()), (Some(1), expected));
    assert_eq!(told.stderr, run(&["parse"], "I can not.").stderr);
}

#[test]
fn pieces_are_64_bytes_where_nothing_is_said() {
    let text = format!("[{}1]", "1, ".repeat(60));
    let told = lines(&run(&["watch", "--views"], &text));
    assert_eq!(told.iter().map(|line| line["bytes"].as_u64()).collect::<Vec<_>>(), [64, 128, 183].map(Some));
}

#[test]
fn nothing_in_nothing_out() {
    let told = run(&["watch", "--views"], "");
    assert_eq!((told.code, told.stdout.as_str()), (Some(1), ""));
    assert!(told.stderr.contains("[no_document]"), "{}", told.stderr);
}

#[test]
fn lines_go_on_behind_a_decision_and_the_view_stays() {
    let told = run(&["watch", "--views", "--chunk", "4"], "{\"a\": [1, x, 2], \"b\": 3}");
    let views: Vec<_> = lines(&told).iter().map(|line| line["view"].to_string()).collect();
    assert_eq!(told.code, Some(1));
    assert_eq!(views, ["{}", "{\"a\":[]}", "{\"a\":[1]}", "{\"a\":[1]}", "{\"a\":[1]}", "{\"a\":[1]}"]);
    let told = run(&["watch", "--views", "--chunk", "4"], b"{\"a\": [1, \xff, 2], \"b\": 3}");
    assert_eq!((told.code, told.stdout.lines().count()), (Some(1), 6));
}

/// What is shown at a byte does not depend on the pieces; each line is the one of the pieces of one byte.
#[test]
fn every_piece_length_shows_the_same_at_the_same_byte() {
    let examples = EXAMPLES.map(|name| std::fs::read(example(name)).expect("a file"));
    let odd: [&[u8]; 3] =
        ["{\"é漢🙂\": \"é\\ud83d\\ude42🙂\"} ok 🙂".as_bytes(), b"{\"a\": \"x\xc3\x28\"}", b"[1,2,3]\n\n[4]"];
    for text in examples.into_iter().chain(odd.map(<[u8]>::to_vec)) {
        let base = run(&["watch", "--views", "--chunk", "1"], &text);
        let lines: Vec<&str> = base.stdout.lines().collect();
        assert_eq!(lines.len(), text.len());
        for len in [2, 3, 4, 7, 64, 100, 5000] {
            let told = run(&["watch", "--views", "--chunk", &len.to_string()], &text);
            let expected: Vec<_> =
                (1..=text.len().div_ceil(len)).map(|n| lines[(n * len).min(text.len()) - 1]).collect();
            assert_eq!(told.stdout.lines().collect::<Vec<_>>(), expected, "{len}");
            assert_eq!((told.code, &told.stderr), (base.code, &base.stderr), "{len}");
        }
    }
}

#[test]
fn the_views_of_the_vectors() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/corpus/cases.jsonl");
    let mut count = 0;
    for row in std::fs::read_to_string(path).expect("the vectors").lines() {
        let row: Value = serde_json::from_str(row).expect("a row is JSON");
        let Some(view) = row["expected"].get("partial_view") else { continue };
        let input = row["input"].as_str().expect("an input");
        let told = lines(&run(&["watch", "--views", "--chunk", "1"], input));
        assert_eq!(told.len(), input.len(), "{}", row["id"]);
        let last = told.last().expect("a line");
        assert_eq!(last["view"], *view, "{}", row["id"]);
        for pointer in row["expected"]["closed"].as_array().into_iter().flatten() {
            assert!(last["closed"].as_array().expect("pointers").contains(pointer), "{}", row["id"]);
        }
        count += 1;
    }
    assert_eq!(count, 17);
}

#[test]
fn a_file_and_a_pipe_are_the_same() {
    let text = "{\"a\": [1, 2, \"three\"], \"b\": \"é\"}";
    let file = File::with("watched.txt", text);
    for options in [&["--chunk", "5"][..], &["--views", "--chunk", "5"], &["--json-patch", "--chunk", "5"]] {
        let args = |file| [&["watch"], options, &[file]].concat();
        let told = run(&args("-"), text);
        assert_eq!(told, run(&args(file.path()), ""));
        assert_eq!(told, run(&[&["watch"], options].concat(), text));
        // In drops that are no pieces.
        let mut child = command(&args("-")).spawn().expect("the command starts");
        let mut input = child.stdin.take().expect("standard input is piped");
        for drop in text.as_bytes().chunks(3) {
            input.write_all(drop).and_then(|()| input.flush()).expect("the command reads");
            std::thread::sleep(Duration::from_millis(2));
        }
        drop(input);
        let output = child.wait_with_output().expect("the command ends");
        assert_eq!(String::from_utf8_lossy(&output.stdout), told.stdout);
    }
}

#[test]
fn a_change_is_there_before_more_is_read() {
    use std::io::{BufRead as _, BufReader};
    for args in [&["watch"][..], &["watch", "--json-patch"], &["watch", "--views", "--chunk", "8"]] {
        let mut child = command(args).spawn().expect("the command starts");
        let mut input = child.stdin.take().expect("standard input is piped");
        input.write_all(b"{\"a\": \"b").and_then(|()| input.flush()).expect("the command reads");
        let mut output = BufReader::new(child.stdout.take().expect("standard output is piped"));
        let mut line = String::new();
        // The pipe stays open: a line that is held back never comes.
        output.read_line(&mut line).expect("a line");
        assert!(line.contains("/a") || line.contains("\"a\""), "{line}");
        input.write_all(b"\"}").expect("the command reads");
        drop(input);
        assert_eq!(child.wait().expect("the command ends").code(), Some(0));
    }
}

#[test]
fn reading_stops_when_the_answer_is_certain() {
    let mut child = command(&["watch"]).spawn().expect("the command starts");
    let mut input = child.stdin.take().expect("standard input is piped");
    input.write_all(b"{\"a\": x").and_then(|()| input.flush()).expect("the command reads");
    let output = child.wait_with_output().expect("the command ends");
    assert_eq!(output.status.code(), Some(1));
    drop(input);
}

#[test]
fn a_rate_takes_its_time() {
    let text = format!("[{}1]", "1, ".repeat(66));
    let began = Instant::now();
    let told = run(&["watch", "--rate", "600"], &text);
    // 201 bytes in pieces of 20: the last one is due when 200 bytes have had their time.
    assert!(began.elapsed() >= Duration::from_millis(300), "{:?}", began.elapsed());
    assert_eq!(told.code, Some(0));
    let bytes: Vec<_> = lines(&told).iter().filter_map(|line| line["bytes"].as_u64()).collect();
    assert_eq!(bytes, [20, 40, 60, 80, 100, 120, 140, 160, 180, 200, 201, 201][..bytes.len()]);
    assert_eq!(bytes.len(), 12);
}

#[test]
fn nothing_is_drawn_in_a_pipe() {
    let told = command(&["watch", "--rate", "1000"])
        .env("CLICOLOR_FORCE", "1")
        .env("TERM", "xterm")
        .stdin(std::fs::File::open(example("cut.txt")).expect("a file"))
        .output()
        .expect("the command ends");
    assert!(!told.stdout.contains(&0x1b) && !told.stderr.contains(&0x1b));
}

#[test]
fn wrong_usage_is_code_2() {
    for args in [
        &["watch", "--views", "--json-patch"][..],
        &["watch", "--chunk", "0"],
        &["watch", "--rate", "0"],
        &["watch", "--rate", "-1"],
        &["watch", "--rate", "fast"],
        &["watch", "--provider", "nobody"],
        &["watch", "--root", "map"],
        &["watch", "a", "b"],
        &["watch", "no/such/reply.txt"],
        &["watch", "."],
    ] {
        let told = run(args, "{}");
        assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(!told.stderr.is_empty(), "{args:?}");
    }
    let help = run(&["watch", "--help"], "");
    assert_eq!((help.code, help.stderr.as_str()), (Some(0), ""));
    assert!(help.stdout.contains("Exit codes:") && help.stdout.contains("--json-patch"), "{}", help.stdout);
}

#[test]
#[cfg(unix)]
fn a_reader_that_goes_away_is_code_141() {
    let text = format!("[{}1]", "1, ".repeat(100_000));
    let file = File::with("long.txt", text);
    for args in [&["watch", "--chunk", "64", file.path()][..], &["watch", "--views", "--chunk", "999", file.path()]] {
        let mut child = command(args).spawn().expect("the command starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the command ends");
        assert_eq!((output.status.code(), output.stderr.len()), (Some(141), 0), "{args:?}");
    }
}
