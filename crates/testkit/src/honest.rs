//! Replies that repeat themselves on purpose: what people and models write that no guard should take for a loop.
//!
//! Each is made of a number of equal or like parts, so that a test can find the number at which a guard trips after all.

use crate::workload::Random;

/// A reply of so many parts, and the document in it.
#[derive(Clone, Copy, Debug)]
pub struct Honest {
    /// Its name.
    pub name: &'static str,
    /// What one part is.
    pub part: &'static str,
    /// How many parts somebody would write.
    pub usual: usize,
    /// The reply of so many parts.
    make: fn(usize) -> Made,
}

impl Honest {
    /// The reply of so many parts.
    #[must_use]
    pub fn of(&self, parts: usize) -> Made {
        (self.make)(parts)
    }

    /// A number of parts that make a reply of at most so many bytes, and more than half of that.
    #[must_use]
    pub fn within(&self, bytes: usize) -> usize {
        let counts = (0..usize::BITS).map(|power| 1 << power);
        counts.take_while(|count| self.of(*count).reply.len() <= bytes).last().unwrap_or(1)
    }

    /// The reply that somebody would write.
    #[must_use]
    pub fn usual(&self) -> Made {
        self.of(self.usual)
    }
}

/// A reply and the document in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// All of it.
    pub reply: String,
    /// The document, which is a part of the reply.
    pub document: String,
}

/// A reply that is one document.
fn bare(document: String) -> Made {
    Made { reply: document.clone(), document }
}

/// A string as the one member of an object; `content` is escaped already.
fn string(content: &str) -> Made {
    bare(format!("{{\"text\": \"{content}\"}}"))
}

/// An array of equal elements.
fn array(element: &str, count: usize) -> Made {
    bare(format!("[{}]", vec![element; count].join(", ")))
}

/// So many parts, each told its number.
fn parts(count: usize, part: impl FnMut(usize) -> String) -> String {
    (0..count).map(part).collect()
}

fn random_of(letters: &str, count: usize) -> String {
    let mut random = Random::new(5);
    let letters = letters.as_bytes();
    (0..count).map(|_| char::from(letters[random.below(letters.len())])).collect()
}

const LOREM: &str = "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore \
                     et dolore magna aliqua. Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut \
                     aliquip ex ea commodo consequat. ";

/// All of them.
#[must_use]
pub fn all() -> Vec<Honest> {
    let honest = |name, part, usual, make| Honest { name, part, usual, make };
    vec![
        honest("zero matrix", "row of 64 zeros", 64, |count| array(&array("0", 64).document, count)),
        honest("embedding of zeros", "0.0", 1536, |count| array("0.0", count)),
        honest("literals", "null", 1000, |count| array("null", count)),
        honest("flags", "false", 2000, |count| array("false", count)),
        honest("empty strings", "\"\"", 1000, |count| array("\"\"", count)),
        honest("separators", "pair", 400, |count| array("[\"\\\\\", null]", count)),
        honest("equal points", "[12.5, 41.9]", 500, |count| array("[12.5, 41.9]", count)),
        honest("equal values", "\"ok\"", 300, |count| array("\"ok\"", count)),
        honest("equal long values", "\"not applicable\"", 100, |count| array("\"not applicable\"", count)),
        honest("equal objects", "object", 500, |count| array("{\"status\":\"ok\",\"count\":0}", count)),
        honest("points at the origin", "object", 200, |count| array("{\"x\": 0, \"y\": 0}", count)),
        honest("counted objects", "object", 500, |count| {
            bare(format!("[{}{{}}]", parts(count, |at| format!("{{\"id\":{at},\"status\":\"ok\",\"count\":0}},\n"))))
        }),
        honest("schema", "property", 120, |count| {
            let block = |at| {
                format!("\"field_{at}\": {{\"type\": \"string\", \"description\": \"\", \"maxLength\": 255}},\n    ")
            };
            bare(format!(
                "{{\n  \"type\": \"object\",\n  \"properties\": {{\n    {}\"id\": {{}}\n  }}\n}}",
                parts(count, block)
            ))
        }),
        honest("indentation", "level of four spaces", 120, |count| {
            let open = parts(count, |level| format!("[\n{}", "    ".repeat(level + 1)));
            bare(open + "1" + &parts(count, |level| format!("\n{}]", "    ".repeat(count - 1 - level))))
        }),
        honest("base64", "KiB", 32, |count| {
            let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
            string(&random_of(letters, count << 10))
        }),
        honest("base64 of zeros", "KiB", 32, |count| string(&"A".repeat(count << 10))),
        honest("test data", "letter", 3072, |count| string(&"a".repeat(count))),
        honest("hex of ones", "byte", 1024, |count| string(&"ff ".repeat(count))),
        honest("genome", "base", 4096, |count| string(&random_of("ACGT", count))),
        honest("rules in prose", "rule of 60 dashes", 30, |count| {
            let rule = "-".repeat(60) + "\n";
            let document = "{\"rule\": \"=====\"}".to_owned();
            Made { reply: format!("{0}{document}\n{0}", rule.repeat(count)), document }
        }),
        honest("rule in a string", "dash", 5000, |count| string(&"=".repeat(count))),
        honest("dashed rule in a string", "dash and space", 1000, |count| string(&"- ".repeat(count))),
        honest("box drawing", "dash and space", 500, |count| string(&"─ ".repeat(count))),
        honest("table", "row", 500, |count| {
            string(&parts(count, |at| format!("| {at} | item | {} | yes |\\n", at * 7)))
        }),
        honest("table of equal rows", "row", 80, |count| string(&"| yes | no | n/a |\\n".repeat(count))),
        honest("csv", "row", 300, |count| string(&parts(count, |at| format!("{at},2026-01-01,EUR,0.00,open\\n")))),
        honest("csv of equal rows", "row", 80, |count| string(&",,,EUR,0.00,open\\n".repeat(count))),
        honest("csv of zeros", "row", 200, |count| string(&"0,0,0,0\\n".repeat(count))),
        honest("log", "line", 200, |count| {
            let line = |at: usize| {
                format!("2026-01-01T12:{:02}:{:02}Z INFO worker: request served in 12 ms\\n", at / 60 % 60, at % 60)
            };
            string(&parts(count, line))
        }),
        honest("log of one second", "line", 40, |count| string(&"12:00:00 WARN queue: retry in 5 s\\n".repeat(count))),
        honest("poem", "stanza with a refrain", 12, |count| {
            let stanza = |at: usize| {
                let sea = ["gull", "wave", "rope", "sail", "salt", "foam"][at % 6];
                format!(
                    "The {sea} goes out, verse {at},\\nand home again it came.\\nRow on, row on, my brothers,\\nrow on!\\n\\n"
                )
            };
            string(&parts(count, stanza))
        }),
        honest("chorus", "line", 60, |count| {
            string(&"Row, row, row your boat, gently down the stream.\\n".repeat(count))
        }),
        honest("lorem ipsum", "paragraph", 8, |count| string(&LOREM.repeat(count))),
        honest("laughter", "syllable", 500, |count| string(&"ha".repeat(count))),
        honest("path of an SVG", "step", 300, |count| {
            string(&("M0 0".to_owned() + &parts(count, |at| format!(" L{} {}", at * 3, at * at % 97))))
        }),
        honest("stairs of an SVG", "step", 300, |count| string(&"h1v1".repeat(count))),
        honest("bitmap", "row of 64 bits", 64, |count| {
            let mut random = Random::new(9);
            let row = |_| (0..64).map(|_| if random.chance(50) { '1' } else { '0' }).collect::<String>() + "\\n";
            string(&parts(count, row))
        }),
        honest("empty bitmap", "row of 64 bits", 64, |count| string(&("0".repeat(64) + "\\n").repeat(count))),
        honest("picture", "line", 40, |count| {
            string(&parts(count, |at| {
                format!("{}/{}\\\\{}\\n", " ".repeat(40 - at % 40), "_".repeat(at % 40), " ".repeat(at % 7))
            }))
        }),
        honest("blank lines in a string", "line end", 200, |count| string(&"\\n".repeat(count))),
        honest("emoji", "face", 500, |count| string(&"🙂".repeat(count))),
        honest("rows of emoji", "row", 30, |count| string(&"🟩⬛🟩⬛🟩\\n".repeat(count))),
        honest("alternating emoji", "pair", 200, |count| string(&"🟩⬛".repeat(count))),
    ]
}
