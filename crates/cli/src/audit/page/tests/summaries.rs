//! Summaries to make pages of: what is common, what is extreme, what is hostile.

use crate::audit::summary::*;

/// What a log may say to whoever shows it.
pub(super) const HOSTILE: &[&str] = &[
    "</script><img src=x onerror=\"document.title='ran'\">",
    "</style><style>body{display:none}</style>",
    "</title><script>document.title='ran'</script>",
    "\" onmouseover=\"document.title='ran'\" x=\"",
    "' onmouseover='document.title=1' x='",
    "</pre></code></td></table><iframe src=javascript:alert(1)>",
    "<svg/onload=alert(1)>",
    "</svg><svg><title><script>alert(1)</script>",
    "&lt;script&gt; &amp;#60; &#60;script&#62; &nosuch; & &",
    "<!-- --><![CDATA[ ]]><?php ?><!DOCTYPE x>",
    "{{constructor.constructor('alert(1)')()}} ${alert(1)} javascript:alert(1)",
    "\0\u{1}\u{8}\u{B}\u{1B}[2J\u{1B}]0;x\u{7}\u{7F}\u{9B}",
    "\u{202E}\u{2066}\u{200F}\u{61C}gnp.exe\u{2069}",
    "\u{2028}\u{2029}\u{85}\r\n\t",
    "\u{FFFE}\u{FFFF}\u{10FFFF}\u{E0041}\u{FEFF}\u{FFFD}",
    "a\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\u{307}\u{308}\u{30A}\u{30B}\u{30C}\u{310}",
    "<",
    ">",
    "&",
    "'",
    "\"",
    " ",
    "/",
    "=",
    "]]>",
    "--",
    "\\u{202e}",
    "مرحبا שלום 你好 👩‍👩‍👧‍👦 ﷽",
    "+ADw-script+AD4-alert(1)+ADw-/script+AD4-",
];

/// Every one of them, by a name for its file.
pub(super) fn all() -> Vec<(&'static str, Summary)> {
    vec![
        ("empty", Summary::default()),
        ("one", one()),
        ("all_ok", all_ok()),
        ("week", week()),
        ("hostile", hostile()),
        ("huge", huge(9_876_543_210_123)),
        ("most", huge(u64::MAX)),
        ("crowded", crowded()),
        ("tiny_share", tiny_share()),
        ("reports", reports()),
    ]
}

fn count(name: &str, count: u64, replies: u64) -> Count {
    Count { name: name.into(), count, replies, share: 0.5 }
}

fn diagnosis(name: &str, count: u64) -> DiagnosisCount {
    let cure = match name {
        "truncation" => {
            "Give the budget headroom: twice the tokens of the longest good reply, and reasoning on top where it is billed to the same budget."
        }
        "malformation" => {
            "Use native tool calls or the structured output of the provider, where the server holds the model to the grammar."
        }
        "schema_mismatch" => {
            "Show an example document beside the schema, and say in the field's description what the violation says."
        }
        "nothing_found" => {
            "Say at the end of the prompt that the answer is one JSON document, and show it; or make it a tool that has to be called."
        }
        _ => {
            "Ask for one document, once: label the final answer in prose, and keep drafts and examples out of the reply."
        }
    };
    DiagnosisCount { name: name.into(), count, cure: cure.into() }
}

fn code(outcome: &str, code: &str, count: u64, excerpt: &str) -> CodeCount {
    let example = Example {
        file: "logs/monday.jsonl".into(),
        line: count * 17 % 4001,
        id: Some(format!("req_{:08x}", count.wrapping_mul(2_654_435_761) & 0xFFFF_FFFF)),
        model: Some("small-model-7b-instruct".into()),
        excerpt: excerpt.into(),
    };
    CodeCount { outcome: outcome.into(), code: code.into(), count, share: 0.1, example }
}

fn target(name: &str, [ok, not_found, ambiguous, invalid]: [u64; 4]) -> TargetCount {
    TargetCount { name: name.into(), ok, not_found, ambiguous, invalid }
}

/// Columns of a bell whose middle is this one of `from..to`, as a histogram of lengths has them: two for each power of two.
fn buckets(from: u32, to: u32, middle: f64, replies: f64) -> Vec<Bucket> {
    let start = |at: u32| u64::from(2 + at % 2) << (at / 2 - 1);
    let column = |at: u32| {
        let away = (f64::from(at) - middle) / 2.6;
        Bucket { from: start(at), to: start(at + 1), count: (replies * 0.22 * (-away * away).exp()).ceil() as u64 }
    };
    (from..to).map(column).collect()
}

pub(super) fn week() -> Summary {
    Summary {
        lines: 12_483,
        judged: 8_112,
        reported: 4_368,
        unreadable: 3,
        unreadable_examples: vec![
            Example {
                file: "logs/monday.jsonl".into(),
                line: 212,
                excerpt: "expected a string at `text`, found a number".into(),
                ..Example::default()
            },
            Example {
                file: "logs/friday.jsonl".into(),
                line: 9_020,
                excerpt: "no member `text`, `chunks` or `outcome`".into(),
                ..Example::default()
            },
            Example {
                file: "logs/friday.jsonl".into(),
                line: 9_021,
                excerpt: "expected `,` or `}`, found the end".into(),
                ..Example::default()
            },
        ],
        outcomes: vec![
            count("ok", 11_902, 11_902),
            count("truncated", 291, 291),
            count("schema_mismatch", 147, 147),
            count("malformed", 82, 82),
            count("ambiguous", 31, 31),
            count("not_found", 22, 22),
            count("runaway", 5, 5),
        ],
        repairs: vec![
            count("trailing_comma", 731, 402),
            count("raw_control", 350, 118),
            count("escaped_delimiter", 88, 12),
            count("comment", 41, 20),
            count("bracket_kind", 7, 7),
        ],
        warnings: vec![count("lossy_number", 19, 11), count("ended_by_length", 4, 4)],
        codes: vec![
            code(
                "truncated",
                "open_string",
                214,
                "…r\": \"2024-0121\", \"amount\": 96.00, \"overdue\": true, \"note\": \"The customer asked for anoth",
            ),
            code("schema_mismatch", "enum", 96, "{\"severity\": \"Critical\", \"component\": \"billing\""),
            code(
                "truncated",
                "open_container",
                77,
                "[{\"sku\": \"A-1\", \"count\": 2}, {\"sku\": \"A-2\", \"count\": 5}",
            ),
            code("schema_mismatch", "maximum", 51, "{\"confidence\": 150}"),
            code("malformed", "unexpected_character", 44, "{'name': 'Ada', 'age': 36}"),
            code("malformed", "root_closed_early", 38, "{\"re\": \"[^\"]+\"}"),
            code(
                "ambiguous",
                "documents_differ",
                31,
                "Draft: {\"verdict\": \"reject\"} … Final: {\"verdict\": \"approve\"}",
            ),
            code("not_found", "no_document", 22, "I'm sorry, but I can't help with that request."),
            code("runaway", "repetition", 5, "na na na na na na na na na na na na na na na na na na na na na na na na"),
        ],
        more_codes: 0,
        targets: vec![
            target("verdict", [1_802, 33, 61, 0]),
            target("score", [1_640, 190, 12, 54]),
            target("blocking", [1_890, 6, 0, 0]),
        ],
        diagnoses: vec![
            diagnosis("truncation", 291),
            diagnosis("schema_mismatch", 147),
            diagnosis("malformation", 82),
            diagnosis("ambiguous", 31),
            diagnosis("nothing_found", 22),
            diagnosis("runaway", 5),
        ],
        cure: Some(Cure { diagnosis: "truncation".into(), text: diagnosis("truncation", 1).cure }),
        lengths: Lengths {
            replies: 8_112,
            min: 2,
            median: 4_870,
            p90: 11_200,
            p99: 18_400,
            max: 23_871,
            bytes: 46_100_000,
            buckets: buckets(2, 30, 23.6, 8_112.0),
        },
        wasted: Wasted { replies: 2_209, bytes: 3_870_000, share: 0.084 },
    }
}

fn one() -> Summary {
    let lengths = Lengths {
        replies: 1,
        min: 227,
        median: 227,
        p90: 227,
        p99: 227,
        max: 227,
        bytes: 227,
        buckets: vec![Bucket { from: 192, to: 256, count: 1 }],
    };
    Summary {
        lines: 1,
        judged: 1,
        outcomes: vec![count("truncated", 1, 1)],
        codes: vec![code("truncated", "open_string", 1, "\"note\": \"The customer asked for anoth")],
        diagnoses: vec![diagnosis("truncation", 1)],
        cure: Some(Cure { diagnosis: "truncation".into(), text: diagnosis("truncation", 1).cure }),
        lengths,
        ..Summary::default()
    }
}

pub(super) fn all_ok() -> Summary {
    let lengths = Lengths {
        replies: 480,
        min: 40,
        median: 410,
        p90: 800,
        p99: 911,
        max: 950,
        bytes: 201_000,
        buckets: buckets(10, 20, 16.4, 480.0),
    };
    Summary { lines: 480, judged: 480, outcomes: vec![count("ok", 480, 480)], lengths, ..Summary::default() }
}

/// One of many: what rounds to all or to nothing.
fn tiny_share() -> Summary {
    Summary {
        lines: 4_000_000,
        judged: 4_000_000,
        outcomes: vec![count("ok", 3_999_998, 0), count("ambiguous", 1, 1), count("malformed", 1, 1)],
        diagnoses: vec![diagnosis("ambiguous", 1), diagnosis("malformation", 1)],
        lengths: Lengths { bytes: 9_000_000_000, ..all_ok().lengths },
        wasted: Wasted { replies: 1, bytes: 12, share: 0.0 },
        ..Summary::default()
    }
}

/// Reports alone: no length is known.
fn reports() -> Summary {
    let week = week();
    Summary {
        judged: 0,
        reported: 12_480,
        unreadable: 0,
        targets: Vec::new(),
        lengths: Lengths::default(),
        wasted: Wasted::default(),
        ..week
    }
}

fn huge(most: u64) -> Summary {
    Summary {
        lines: most,
        judged: most,
        reported: most,
        unreadable: most,
        outcomes: vec![count("ok", most, most), count("truncated", most, most), count("malformed", most / 3, most)],
        repairs: vec![count("trailing_comma", most, most), count("raw_control", most, most)],
        codes: vec![CodeCount { count: most, ..code("truncated", "open_string", 1, "huge") }],
        more_codes: most,
        targets: vec![target("verdict", [most; 4])],
        diagnoses: vec![diagnosis("truncation", most), diagnosis("malformation", most / 3)],
        cure: Some(Cure { diagnosis: "truncation".into(), text: diagnosis("truncation", 1).cure }),
        lengths: Lengths {
            replies: most,
            min: 0,
            median: most / 2,
            p90: most,
            p99: most,
            max: most,
            bytes: most,
            buckets: vec![
                Bucket { from: 0, to: most / 2, count: most },
                Bucket { from: most / 2, to: most, count: most / 5 },
            ],
        },
        wasted: Wasted { replies: most, bytes: most, share: f64::NAN },
        ..Summary::default()
    }
}

/// As many names of each kind as a log can have.
pub(super) fn crowded() -> Summary {
    let names = |prefix: &str| {
        let name = |at: u64| {
            count(&format!("{prefix}_{at}_with_a_rather_long_name_of_40_c"), 4_000 - at * 13, 4_000 - at * 13)
        };
        (0..300).map(name).collect::<Vec<_>>()
    };
    let long = "an_excerpt_without_a_single_space_that_goes_on_and_on/".repeat(4);
    let codes =
        (0..20).map(|at| code("malformed", &format!("code_{at}_of_forty_characters_or_nearly"), 900 - at * 40, &long));
    Summary {
        outcomes: names("outcome"),
        repairs: names("repair"),
        warnings: names("warning"),
        codes: codes.collect(),
        more_codes: 236,
        targets: (0..50)
            .map(|at| target(&format!("target_{at}_with_a_rather_long_name"), [at * 7, at, 50 - at, at / 2]))
            .collect(),
        ..week()
    }
}

fn hostile() -> Summary {
    let mut summary = of("harmless");
    for (at, text) in strings(&mut summary).into_iter().enumerate() {
        *text = HOSTILE[at % HOSTILE.len()].into();
    }
    summary
}

/// A page with every section, all of whose strings are one.
pub(super) fn of(text: &str) -> Summary {
    let mut summary = week();
    for place in strings(&mut summary) {
        *place = text.into();
    }
    summary
}

/// The same with another string in one place.
pub(super) fn of_one(text: &str, other: &str, at: usize) -> Summary {
    let mut summary = of(text);
    *strings(&mut summary).swap_remove(at) = other.into();
    summary
}

/// How many strings there are.
pub(super) fn places() -> usize {
    strings(&mut of("harmless")).len()
}

/// Every string of a summary.
fn strings(summary: &mut Summary) -> Vec<&mut String> {
    let Summary { unreadable_examples, outcomes, repairs, warnings, codes, targets, diagnoses, cure, .. } = summary;
    let mut found = Vec::new();
    for example in unreadable_examples {
        push_example(&mut found, example);
    }
    for CodeCount { outcome, code, example, .. } in codes {
        found.extend([outcome, code]);
        push_example(&mut found, example);
    }
    found.extend([outcomes, repairs, warnings].into_iter().flatten().map(|count| &mut count.name));
    found.extend(targets.iter_mut().map(|target| &mut target.name));
    for DiagnosisCount { name, cure, .. } in diagnoses {
        found.extend([name, cure]);
    }
    if let Some(Cure { diagnosis, text }) = cure {
        found.extend([diagnosis, text]);
    }
    found
}

fn push_example<'a>(found: &mut Vec<&'a mut String>, example: &'a mut Example) {
    let Example { file, id, model, excerpt, .. } = example;
    found.extend([file, excerpt]);
    found.extend([id, model].into_iter().flatten());
}
