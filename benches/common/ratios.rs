//! The harness of the ratios: two cases take turns, and what is shown is the ratio of their times.
//!
//! The clock is the CPU time of the thread, since other work shares the cores. The two cases of a row take turns, round
//! by round and in alternating order, so that both meet the same heap and the same clock speed. A ratio is the median
//! of the ratios of the same round; its spread is what lies between the lowest and the highest tenth of them.
//!
//! Making and dropping what a case needs is outside the clock. A pass reads one text; short texts are read in batches,
//! so that reading the clock weighs nothing.
//!
//! ```text
//! cargo bench --bench NAME                       all rows
//! cargo bench --bench NAME -- W2 dirty           rows whose name holds one of these words
//! cargo bench --bench NAME -- --rounds 31        more rounds
//! cargo bench --bench NAME -- --test             each case once, no figures
//! ```

use std::time::Duration;

use serde_json::Value;
use thusfar::{Expect, Limits};

/// The time that a case is given in one round, at least.
const ROUND: Duration = Duration::from_millis(4);
/// A row of which one pass takes longer has the fewest rounds that are usual.
const SLOW: Duration = Duration::from_millis(200);
const FEWEST: usize = 9;
/// One of which it takes longer than this has fewer still: it is quadratic, and the distance is no matter of percents.
const SLOWEST: Duration = Duration::from_secs(1);
const FEWEST_OF_ALL: usize = 5;

/// Runs so many passes; gives the CPU time of the measured part.
pub(crate) type Case<'a> = Box<dyn FnMut(usize) -> Duration + 'a>;

/// One line of the table.
pub(crate) struct Row<'a> {
    pub(crate) name: String,
    pub(crate) ours: Case<'a>,
    pub(crate) yardstick: Case<'a>,
    /// What one pass reads.
    pub(crate) unit: Unit,
    /// The ratio that must be reached and the one that is wanted, where there is a bar: the most, and of `faster` the least.
    pub(crate) bars: Option<(f64, f64)>,
}

/// In what the speed of a case is shown.
#[derive(Clone, Copy)]
#[allow(dead_code, reason = "not every bench counts in all of them")]
pub(crate) enum Unit {
    /// So many things of this name.
    Each(usize, &'static str),
    Bytes(usize),
}

impl Unit {
    fn show(self, pass: f64) -> String {
        match self {
            Unit::Each(count, name) => format!("{:.1} ns/{name}", pass * 1e9 / count as f64),
            Unit::Bytes(len) => format!("{:.0} MB/s", len as f64 / pass / 1e6),
        }
    }
}

#[cfg(unix)]
fn cpu_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// Without a clock for threads: the time that passes.
#[cfg(not(unix))]
fn cpu_time() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}

/// A case of three parts, of which only `run` is on the clock. `len` is what one pass reads.
pub(crate) fn case<'a, S>(
    len: usize,
    make: impl Fn() -> S + 'a,
    run: impl Fn(&mut S) + 'a,
    check: impl Fn(S) + 'a,
) -> Case<'a> {
    let batch = (64_000 / len).max(1);
    Box::new(move |passes| {
        let mut spent = Duration::ZERO;
        let mut left = passes;
        while left > 0 {
            let mut states: Vec<S> = (0..batch.min(left)).map(|_| make()).collect();
            left -= states.len();
            let start = cpu_time();
            for state in &mut states {
                run(state);
            }
            spent += cpu_time().saturating_sub(start);
            states.into_iter().for_each(&check);
        }
        spent
    })
}

/// What a reply of so many bytes expects: anything, within the limits that everyone has; the longest is over that of the length.
#[allow(dead_code, reason = "not every bench has one so long")]
pub(crate) fn expect_for(len: usize) -> Expect {
    let limits = Limits::default();
    if limits.reply_len.is_some_and(|most| len > most) {
        return Expect::any().limits(Limits { reply_len: None, ..limits });
    }
    Expect::any()
}

/// What the command line asks for.
pub(crate) struct Options {
    pub(crate) test: bool,
    rounds: usize,
    words: Vec<String>,
}

impl Options {
    /// Flags that are not ours are for other benches of the same command, and are passed over. As with Criterion, a run
    /// without `--bench` (`cargo test --benches`) is a test.
    pub(crate) fn from_args() -> Self {
        let mut options = Options { test: true, rounds: 15, words: Vec::new() };
        let mut test = false;
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--bench" => options.test = false,
                "--test" => test = true,
                "--rounds" => options.rounds = args.next().and_then(|n| n.parse().ok()).unwrap_or(15).max(FEWEST),
                _ if arg.starts_with('-') => {}
                _ => options.words.push(arg),
            }
        }
        options.test |= test;
        options
    }

    /// The name again, if a row of that name is to run.
    pub(crate) fn wanted(&self, name: String) -> Option<String> {
        let wanted = self.words.is_empty() || self.words.iter().any(|word| name.contains(word.as_str()));
        wanted.then_some(name)
    }

    /// The head of the table.
    pub(crate) fn begin(&self) {
        if self.test {
            return;
        }
        warn_of_features();
        println!(
            "{:<70}  {:>14}  {:>17}  {:>8}  {:>17}  {:>5}  {:>5}",
            "name", "ours", "yardstick", "ratio", "spread", "must", "want"
        );
    }

    /// Measures a row and shows it.
    #[allow(dead_code, reason = "not every bench asks")]
    pub(crate) fn measure(&self, row: Row<'_>) {
        let unit = row.unit;
        self.measure_as(row, unit, |ours, yardstick| ours / yardstick);
    }

    /// Measures how many times faster `ours` is.
    #[allow(dead_code, reason = "not every bench asks")]
    pub(crate) fn faster(&self, row: Row<'_>) {
        let unit = row.unit;
        let (name, bars) = (row.name.clone(), row.bars);
        let row = Row { bars: None, ..row };
        let Some(figures) = self.figures(row, unit, |ours, yardstick| yardstick / ours) else { return };
        figures.print(&name, bars, |ratio, must| ratio < must);
    }

    /// Shows what was counted, not timed: the same each time.
    #[allow(dead_code, reason = "one bench counts")]
    pub(crate) fn counted(&self, name: &str, ours: String, yardstick: String, figure: f64, bars: Option<(f64, f64)>) {
        if self.test {
            println!("{name}: ok");
            return;
        }
        Figures { ours, yardstick, ratio: figure, spread: None }.print(name, bars, |ratio, must| ratio > must);
    }

    /// Measures how a cost grows: `ours` reads a text so many times as long as `yardstick` does, which counts in `small`. What is shown
    /// is the exponent: 1 is linear, 2 quadratic.
    #[allow(dead_code, reason = "not every bench asks")]
    pub(crate) fn growth(&self, row: Row<'_>, small: Unit, longer: f64) {
        self.measure_as(row, small, |ours, yardstick| (ours / yardstick).ln() / longer.ln());
    }

    /// The two rows of a growth: 100 KB to 1 MB, and on to 10 MB. `case` makes the case of a text and says how long it is.
    #[allow(dead_code, reason = "not every bench asks")]
    pub(crate) fn growths<'a, T>(
        &self,
        name: &str,
        texts: &'a [T; 3],
        case: impl Fn(&'a T) -> Case<'a>,
        unit: impl Fn(&T) -> (usize, Unit),
    ) {
        for (at, step) in [(1, "1 MB : 100 KB"), (2, "10 MB : 1 MB")] {
            let Some(name) = self.wanted(format!("{name}, {step}")) else { continue };
            let (long, short) = (&texts[at], &texts[at - 1]);
            let ((long_len, long_unit), (short_len, short_unit)) = (unit(long), unit(short));
            let bars = Some((1.1, 1.03));
            let row = Row { name, ours: case(long), yardstick: case(short), unit: long_unit, bars };
            self.growth(row, short_unit, long_len as f64 / short_len as f64);
        }
    }

    /// The lengths of those texts; of a test they are short.
    #[allow(dead_code, reason = "not every bench asks")]
    pub(crate) fn growing_lens(&self) -> [usize; 3] {
        if self.test { [1_000, 3_000, 9_000] } else { [100_000, 1_000_000, 10_000_000] }
    }

    /// Whether any row whose name begins so may run.
    #[allow(dead_code, reason = "not every bench asks")]
    pub(crate) fn wanted_growth(&self, name: &str) -> bool {
        ["1 MB : 100 KB", "10 MB : 1 MB"].iter().any(|step| self.wanted(format!("{name}, {step}")).is_some())
    }

    /// Measures what `ours` does on top of `yardstick`. What is shown is nanoseconds for each of so many things.
    #[allow(dead_code, reason = "not every bench asks")]
    pub(crate) fn difference(&self, row: Row<'_>, count: usize) {
        let unit = row.unit;
        self.measure_as(row, unit, |ours, yardstick| (ours - yardstick) * 1e9 / count as f64);
    }

    fn measure_as(&self, row: Row<'_>, yardstick_unit: Unit, read: impl Fn(f64, f64) -> f64) {
        let (name, bars) = (row.name.clone(), row.bars);
        let Some(figures) = self.figures(row, yardstick_unit, read) else { return };
        figures.print(&name, bars, |ratio, must| ratio > must);
    }

    fn figures(&self, mut row: Row<'_>, yardstick_unit: Unit, read: impl Fn(f64, f64) -> f64) -> Option<Figures> {
        if self.test {
            (row.ours)(1);
            (row.yardstick)(1);
            println!("{}: ok", row.name);
            return None;
        }
        let ((ours_passes, ours), (yardstick_passes, yardstick)) =
            (passes_of(&mut row.ours), passes_of(&mut row.yardstick));
        let passes = [ours_passes, yardstick_passes];
        let rounds = match ours.max(yardstick) {
            pass if pass > SLOWEST => FEWEST_OF_ALL,
            pass if pass > SLOW => FEWEST,
            _ => self.rounds,
        };
        let (mut ours, mut yardstick, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for round in 0..rounds {
            let mut time = [0.0; 2];
            for turn in 0..2 {
                // The order alternates.
                let which = (round + turn) % 2;
                let case = if which == 0 { &mut row.ours } else { &mut row.yardstick };
                time[which] = case(passes[which]).as_secs_f64() / passes[which] as f64;
            }
            ours.push(time[0]);
            yardstick.push(time[1]);
            ratios.push(read(time[0], time[1]));
        }
        let (ratio, ours, yardstick) = (at(&mut ratios, 0.5), at(&mut ours, 0.5), at(&mut yardstick, 0.5));
        Some(Figures {
            ours: row.unit.show(ours),
            yardstick: yardstick_unit.show(yardstick),
            ratio,
            spread: Some((at(&mut ratios, 0.1), at(&mut ratios, 0.9))),
        })
    }
}

/// What stands in a row.
struct Figures {
    ours: String,
    yardstick: String,
    ratio: f64,
    /// None: counted.
    spread: Option<(f64, f64)>,
}

impl Figures {
    /// Two blanks or more between the cells: `readme.py` and `tests/tidy.rs` read them.
    fn print(&self, name: &str, bars: Option<(f64, f64)>, is_missed: impl Fn(f64, f64) -> bool) {
        let (must, want) = bars.map_or(("-".to_owned(), "-".to_owned()), |(must, want)| (bar(must), bar(want)));
        let spread = self.spread.map_or("-".to_owned(), |(low, high)| format!("{}-{}", shown(low), shown(high)));
        println!(
            "{name:<70}  {:>14}  {:>17}  {:>8}  {spread:>17}  {must:>5}  {want:>5}{}",
            self.ours,
            self.yardstick,
            shown(self.ratio),
            if bars.is_some_and(|(must, _)| is_missed(self.ratio, must)) { "  misses the bar" } else { "" },
        );
    }
}

/// Three digits behind the point, more where they would all be zero, and none where they say nothing.
fn shown(ratio: f64) -> String {
    match ratio {
        _ if ratio >= 100.0 => format!("{ratio:.0}"),
        _ if ratio >= 10.0 => format!("{ratio:.1}"),
        0.0 => "0".to_owned(),
        _ if ratio < 0.001 => format!("{ratio:.6}"),
        _ if ratio < 0.01 => format!("{ratio:.5}"),
        _ => format!("{ratio:.3}"),
    }
}

/// A bar as it was set.
fn bar(ratio: f64) -> String {
    ratio.to_string()
}

/// How many passes fill a round, and what one of them takes.
fn passes_of(case: &mut Case<'_>) -> (usize, Duration) {
    let mut passes = 1;
    loop {
        let spent = case(passes);
        if spent >= ROUND / 2 {
            let filling = (ROUND.as_secs_f64() / spent.as_secs_f64() * passes as f64).ceil().max(1.0) as usize;
            return (filling, spent / passes as u32);
        }
        passes *= 2;
    }
}

/// The value below which `share` of them lie.
fn at(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values[((values.len() - 1) as f64 * share).round() as usize]
}

/// Says so when another crate of this build has switched on features of `serde_json` that change what it costs.
fn warn_of_features() {
    let kept = |text: &str| serde_json::from_str::<Value>(text).is_ok_and(|value| format!("{value}") == text);
    for (feature, text) in
        [("arbitrary_precision", "0.10000000000000000000000001"), ("preserve_order", r#"{"b":1,"a":2}"#)]
    {
        if kept(text) {
            println!("serde_json is built with {feature}: its figures here are not those of a plain build");
        }
    }
}
