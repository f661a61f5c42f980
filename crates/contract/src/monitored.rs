//! A check that knows what a monitor has heard: what that is certain of is not asked again, and what it told first stands first.

use serde_json::Value;
use thusfar_core::{Document, WarningKind};

use crate::contract::{Check, Contract};
use crate::monitor::Monitor;
use crate::shown::on_one_line;
use crate::violation::{QUOTED, Timing, Violation};

impl Contract {
    /// The same as [`check`](Contract::check), of a document of a reply that a monitor of this contract has heard to its end. Where the monitor knows
    /// that the document is valid nothing is looked at again, unless a number in it is not held exactly: then it is asked what of. Where it knows of something that
    /// is broken, and did not refuse it (an answer that never was a promise, or one under [`Take::Last`](thusfar_core::Take::Last)), that stands first, with its byte.
    ///
    /// ```
    /// use thusfar_contract::Contract;
    /// use thusfar_core::{Ending, Expect, Reply};
    ///
    /// let contract = Contract::from_schema(r#"{"properties": {"confidence": {"maximum": 100}}}"#)?;
    /// let expect = Expect::object();
    /// let mut reply = Reply::with_sink(expect, contract.monitor(&expect));
    /// let _ = reply.push("{\"confidence\": 85}");
    /// let (document, monitor) = reply.finish_into(Ending::Stop);
    /// assert!(contract.check_monitored(&document?, &monitor).is_valid());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check_monitored(&self, document: &Document, monitor: &Monitor) -> Check {
        let is_lossy = document.warnings().iter().any(|warning| warning.kind == WarningKind::LossyNumber);
        let verdict = monitor.verdict(document.span());
        let is_known = verdict == Some(true) && !is_lossy;
        if is_known && !cfg!(debug_assertions) {
            return Check::default();
        }
        let check = match monitor.violation_of(document.span()) {
            Some(told) => self.check_refused(document, told),
            None => self.check(document),
        };
        debug_assert!(
            verdict.is_none_or(|verdict| check.limit().is_some() || verdict == check.is_valid()),
            "the monitor says {verdict:?} of a document on which the validator has the last word"
        );
        if is_known { Check::default() } else { check }
    }

    /// Everything that a document breaks which was refused while it came, and was read again without the monitor: first what that told, then the
    /// rest as [`check`](Contract::check) has it, without the one that says the same. A field that was told inside its name has the path of the whole name, which is what was found.
    ///
    /// ```
    /// use thusfar_contract::{Contract, Timing};
    /// use thusfar_core::{Ending, Expect, Reply, read};
    ///
    /// let contract = Contract::from_schema(r#"{"items": {"type": "integer"}}"#)?;
    /// let (text, expect) = ("[\"a\", \"b\"]", Expect::array());
    /// let mut reply = Reply::with_sink(expect, contract.monitor(&expect));
    /// let _ = reply.push(text);
    /// let (Err(_), monitor) = reply.finish_into(Ending::Stop) else { panic!("it is refused") };
    /// let violation = monitor.violation().expect("that is why");
    /// let check = contract.check_refused(&read(text, expect)?, violation);
    /// let told: Vec<_> = check.violations().iter().map(|it| (it.path(), it.when(), it.offset())).collect();
    /// assert_eq!(told, [("/0", Timing::Early, 1), ("/1", Timing::Final, 9)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check_refused(&self, document: &Document, violation: &Violation) -> Check {
        let mut check = self.check(document);
        let says_the_same = |other: &Violation| other.says_the_same(violation);
        // A keyword may be broken twice at a place: two fields are missing.
        let is_exact = |other: &Violation| says_the_same(other) && other.expected() == violation.expected();
        let violations = &mut check.violations;
        let same = violations.iter().position(is_exact).or_else(|| violations.iter().position(says_the_same));
        let mut first = violation.clone();
        let same = same.map(|same| violations.remove(same));
        if let Some(same) = same.filter(|same| same.path() != violation.path()) {
            // A field that was told inside its name has all of it by now.
            let name = same.path().rsplit('/').next().unwrap_or_default().replace("~1", "/").replace("~0", "~");
            first.got = Value::from(on_one_line(&name, QUOTED));
            first.path = same.path;
        }
        violations.insert(0, first);
        check
    }
}

impl Check {
    /// What is known of a reply that was refused while it came, and brought no document: this one violation. Nothing else was looked for, so that it is
    /// not [complete](Check::is_complete).
    pub fn of_violation(violation: &Violation) -> Self {
        Self { violations: vec![violation.clone()], is_cut: true, ..Self::default() }
    }
}

impl Violation {
    /// Whether it is what was told of the same reply before all of that was there.
    pub(crate) fn says_the_same(&self, told: &Self) -> bool {
        self.keyword() == told.keyword() && (self.path() == told.path() || self.is_field_begun(told))
    }

    /// Whether it is about a field of whose name only the beginning was there.
    fn is_field_begun(&self, told: &Self) -> bool {
        let Value::String(name) = told.got() else { return false };
        let name = name.strip_suffix("...").unwrap_or(name).replace('~', "~0").replace('/', "~1");
        let field = self.path().strip_prefix(told.path()).and_then(|rest| rest.strip_prefix('/'));
        let begins_so = field.is_some_and(|field| field.starts_with(&name) && !field.contains('/'));
        told.when() == Timing::Early && begins_so && told.offset() < self.start()
    }
}
