//! What is said where not all of the text is kept. That the verdict is the same is held by `check()` for every reply of every test;
//! here is what goes beyond it: what cannot be said, and values that are judged by digest.

use thusfar::{Code, Ending, Expect, Failure, FailureKind, Keep, Place, Position, Reply, Take, Verbatim, Verdict};
use thusfar_testkit::check::check;
use thusfar_testkit::corpus;
use thusfar_testkit::table::table;
use thusfar_testkit::workload::chunks;

fn read(text: &str, keep: Keep) -> Reply {
    let mut reply = Reply::new(Expect::any().keep(keep));
    chunks(text, 5).into_iter().for_each(|chunk| _ = reply.push(chunk));
    reply
}

fn verdict(text: &str, keep: Keep, ending: Ending) -> Result<Verdict, Failure> {
    read(text, keep).verdict(ending)
}

#[test]
fn a_document_has_no_text_but_a_verdict() {
    let text = "Sure:\n```json\n{\"a\": [1, 2,],}\n```\nBye.";
    for keep in [Keep::Tail(10), Keep::Tail(1000), Keep::Nothing] {
        let verdict = verdict(text, keep, Ending::Length).expect("a document");
        assert_eq!((verdict.span().range(), verdict.place()), (14..29, Place::Fenced));
        assert_eq!(verdict.repair_count(), 2);
        assert_eq!(verdict.warnings().iter().map(|it| it.kind.as_str()).collect::<Vec<_>>(), ["ended_by_length"]);
        let failure = read(text, keep).finish(Ending::Length).expect_err("no text");
        assert_eq!((failure.code(), failure.kind(), failure.offset()), (Code::NotKept, FailureKind::Limit, 14));
    }
}

#[test]
fn a_failure_quotes_what_is_kept() {
    let text = format!("Now,\nas you said:\n{{\"note\": \"{}\",\n\"é\": tru]}}", "é".repeat(40));
    let at = text.find("tru]").expect("there");
    let said = |keep| verdict(&text, keep, Ending::Stop).expect_err("broken");
    let all = said(Keep::All);
    assert_eq!((all.code(), all.offset(), all.path()), (Code::InvalidLiteral, at, "/é"));
    assert_eq!(all.position(), Some(Position { line: 4, column: 6 }));

    let tail = said(Keep::Tail(9));
    assert_eq!((tail.code(), tail.offset(), tail.decided_at()), (all.code(), all.offset(), all.decided_at()));
    assert_eq!((tail.raw(), tail.excerpt()), ("\": tru]}", "\": tru]}"));
    assert_eq!((tail.raw_start(), all.raw_start()), (text.len() - 8, 0));
    assert_eq!((tail.position(), tail.path()), (all.position(), ""));
    assert_eq!(tail.to_string(), all.to_string());

    let long = said(Keep::Tail(text.len() - 18));
    assert_eq!((long.path(), long.excerpt()), ("/é", all.excerpt()));

    let none = said(Keep::Nothing);
    assert_eq!((none.offset(), none.position(), none.excerpt(), none.raw()), (at, None, "", ""));
    assert_eq!(none.to_string(), format!("not a JSON value at byte {at}"));
}

#[test]
fn the_newest_bytes_are_kept_however_they_came() {
    let text: String = (0..2000).map(|number| format!("{number}é,")).collect();
    let want = &text[text.len() - 300..];
    for len in [1, 7, 255, 256, 299, 300, 301, 5000] {
        let mut reply = Reply::new(Expect::any().keep(Keep::Tail(300)));
        chunks(&text, len).into_iter().for_each(|chunk| _ = reply.push(chunk));
        assert!(want.ends_with(reply.raw()) && !reply.raw().is_empty(), "in pieces of {len}");
        let failure = reply.verdict(Ending::Stop).expect_err("no document");
        assert_eq!(failure.raw(), want, "in pieces of {len}");
        assert_eq!(failure.position().map(|it| it.line), Some(1));
    }
}

#[test]
fn what_is_not_kept_cannot_go_on() {
    for keep in [Keep::Tail(1000), Keep::Nothing] {
        let failure = verdict("{\"a\": [1", keep, Ending::Length).expect_err("cut");
        let same = failure.clone().stitch("{\"a\": [1, 2]}", Ending::Stop).expect_err("not kept");
        assert_eq!((same.code(), same.kind()), (failure.code(), FailureKind::Truncated));
        assert!(failure.resume(Verbatim).is_err_and(|it| it.code() == Code::OpenNumber));
    }
}

/// Equal keys and equal documents: what text says, digests say. `check()` compares.
#[test]
fn values_are_judged_alike() {
    let many = |last: &str| {
        let keys: Vec<String> = (0..200).map(|index| format!("\"k{index}\": [{index}]")).collect();
        format!("{{{}, {last}}}", keys.join(", "))
    };
    let deep = |last: &str| format!("{{\"a\": {{\"x\": [1, {{\"y\": \"z\", \"w\": []}}]}}, \"b\": 0, \"a\": {last}}}");
    let rows = [
        (many("\"k1\": [1.0]"), None),
        (many("\"k\\u0031\": [1e0]"), None),
        (many("\"k199\": [198]"), Some(Code::DuplicateKey)),
        (many("\"k0\": [0, 0]"), Some(Code::DuplicateKey)),
        (deep("{\"x\": [1, {\"w\": [], \"y\": \"\\u007a\"}]}"), None),
        (deep("{\"x\": [1, {\"w\": [], \"y\": \"zz\"}]}"), Some(Code::DuplicateKey)),
        (deep("{\"x\": [[1, {\"w\": [], \"y\": \"z\"}]]}"), Some(Code::DuplicateKey)),
        (deep("{\"x\": [1, {\"w\": {}, \"y\": \"z\"}]}"), Some(Code::DuplicateKey)),
        (deep("\\\"x\\\""), Some(Code::DuplicateKey)),
        ("{\"a\": 1, \"a\": {\"b\": 2, \"b\": 2}}".to_owned(), Some(Code::DuplicateKey)),
        ("{\"a\": {\"b\": 2}, \"a\": {\"b\": 2.0, \"b\": 2}}".to_owned(), None),
        (
            "{\"a\": [{\"b\": 1}], \"a\": [{\"b\": 1, \"b\": {\"c\": 1, \"c\": 1}}]}".to_owned(),
            Some(Code::DuplicateKey),
        ),
        ("{\"a\": null, \"a\": true}".to_owned(), Some(Code::DuplicateKey)),
        ("{\"a\": \\\"q \\\"w\\\" x\\\", \"a\": \"q \\\"w\\\" x\"}".to_owned(), None),
        ("{\"a\": \\\"q\\\" \n , \"a\": \"q\"}".to_owned(), None),
        ("{\"a\": \"t\ta\", \"a\": \"t\\ta\", \"a\": \"t\\u0009a\"}".to_owned(), None),
        ("{\"a\": [1,/* one */], \"a\": [1]}".to_owned(), None),
        ("{\"a\": 1}\n\n{\"a\": 1.0}".to_owned(), None),
        ("{\"a\": 1, \"b\": 2}\n\n{\"b\": 2, \"a\": 1}".to_owned(), None),
        ("{\"a\": 1}\n\n{\"a\": \"1\"}".to_owned(), Some(Code::DifferentDocuments)),
        ("```json\n{\"a\": []}\n```\nor\n```json\n{\"a\": [[]]}\n```".to_owned(), Some(Code::DifferentDocuments)),
    ];
    for (text, code) in rows {
        assert_eq!(check(&text, Expect::any(), Ending::Stop).code(), code, "{text}");
    }
}

#[test]
fn many_documents_are_not_remembered_for_ever() {
    let equal = "{\"a\": [1, 2]}\n\n{\"a\": [1, 2.0]}\n\n".repeat(60);
    let rows = [("equal", equal.clone(), Ok("{\"a\": [1, 2]}"), "all of them")];
    table(Expect::object(), Ending::Stop, &rows);
    let at = equal.len();
    let other = equal + "{\"a\": [1, 3]}";
    let rows = [("one differs", other.clone(), Err(("different_documents", at)), "the last")];
    table(Expect::object(), Ending::Stop, &rows);
    let last = verdict(&other, Keep::Nothing, Ending::Stop).expect_err("ambiguous");
    assert_eq!((last.code(), last.offset()), (Code::DifferentDocuments, at));
}

/// All rows of the corpora, read with little and with nothing kept.
#[test]
fn the_corpora() {
    for row in corpus::known_truth() {
        for take in [Take::Only, Take::Last] {
            let answer = |keep| {
                let mut reply = Reply::new(Expect::any().take(take).keep(keep));
                chunks(&row.text, 3).into_iter().for_each(|chunk| _ = reply.push(chunk));
                match reply.verdict(Ending::Unknown) {
                    Ok(it) => (it.span().start, it.span().end, it.repair_count(), "ok"),
                    Err(it) => (it.offset(), it.decided_at(), 0, it.code().as_str()),
                }
            };
            let all = answer(Keep::All);
            assert_eq!([answer(Keep::Tail(40)), answer(Keep::Nothing)], [all, all], "{}", row.id);
        }
    }
}
