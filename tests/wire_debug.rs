//! `Debug` never shows text of the wire: a canary is put into every place of a body, and looked for in all that can be printed.

use std::fmt::{Debug, Display};

use thusfar::stream::{Body, BodyKind, Diagnosis, Eof, Framing, Item, Limits};
use thusfar_testkit::wire;

const CANARY: &str = "canary";

/// Bodies with the canary in each place.
const BODIES: [&str; 22] = [
    "canary",
    "data: canary\n\n",
    "data: canary\ndata: canary\n\n",
    "event: canary\nid: canary\nretry: 1\ndata: 1\n\n",
    "id: canary\n\nevent: canary\ndata: {\"a\": \"canary\"}",
    "event: canary\r\ndata: [DONE]",
    ": canary\n: canary",
    "canary: canary\ncanary\ndata: {}\n\n",
    "error: canary\n",
    "error: {\"message\": \"canary\"}",
    "\u{FEFF}canary: 1\n\n",
    "{\"error\": {\"message\": \"canary\"}}",
    "{\"error\": {\"message\": \"canary\"}}\n",
    "{\n  \"error\": \"canary\"\n}\n",
    "{\"canary\": 1}\n{\"canary\": 2}\n{\"canary\"",
    "{\"a\": 1}\ncanary\n[\"canary\"]\n\"canary\"",
    "[{\"canary\": \"canary\"}, \"canary\", [\"canary\"",
    "[1, canary]",
    "[{\"a\": 1}] canary",
    "<html><title>canary</title></html>",
    "<?xml version=\"1.0\"?><canary/>",
    "\u{1f}canary\u{0}",
];

fn hold(what: &str, shown: &str, body: &str) {
    // Nor as numbers, as a list of bytes would show them.
    let bytes: Vec<String> = CANARY.bytes().take(4).map(|byte| byte.to_string()).collect();
    let flat: String = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(!shown.contains(CANARY) && !flat.contains(&bytes.join(", ")), "{what} of {body:?}: {shown}");
}

fn hold_debug(what: &str, thing: &impl Debug, body: &str) {
    hold(what, &format!("{thing:?}"), body);
    hold(what, &format!("{thing:#?}"), body);
}

fn hold_display(what: &str, thing: &impl Display, body: &str) {
    hold(what, &thing.to_string(), body);
}

fn hold_item(item: &Item<'_>, body: &str) {
    hold_debug("item", item, body);
    match item {
        Item::Event(event) => hold_debug("event", event, body),
        Item::Error(error) => hold_debug("error beside the events", error, body),
        other => hold_debug("another item", other, body),
    }
}

fn hold_eof(eof: &Eof, body: &str) {
    hold_debug("end", eof, body);
    eof.whole_item().iter().for_each(|item| hold_item(item, body));
    if let Some(diagnosis) = eof.diagnosis() {
        hold_debug("diagnosis", diagnosis, body);
        hold_display("diagnosis", diagnosis, body);
        hold_debug("kind", &diagnosis.kind(), body);
    }
}

/// Every decoder: before, behind each item, at the end.
fn read(body: &str, limits: Limits) {
    for row in &wire::ALL {
        for chunk_len in [3, body.len().max(1)] {
            let mut decoder = (row.make)(limits);
            hold_debug("decoder", &decoder, body);
            'chunks: for mut chunk in body.as_bytes().chunks(chunk_len) {
                loop {
                    match decoder.next_item(&mut chunk) {
                        Ok(Some(item)) => hold_item(&item, body),
                        Ok(None) => break,
                        Err(error) => {
                            hold_debug("failure", &error, body);
                            hold_display("failure", &error, body);
                            break 'chunks;
                        }
                    }
                    hold_debug("decoder", &decoder, body);
                }
            }
            hold_debug("decoder", &decoder, body);
            let end = decoder.finish();
            hold_debug("end", &end, body);
            end.iter().for_each(|eof| hold_eof(eof, body));
        }
    }
    for (framing, _) in Framing::ALL {
        let mut wire = Body::with_limits(Some(*framing), limits);
        let _ = wire.next_item(&mut body.as_bytes());
        hold_debug("body", &wire, body);
    }
    for is_whole in [false, true] {
        let diagnosis = Diagnosis::of(body.as_bytes(), is_whole);
        hold_debug("diagnosis", &diagnosis, body);
        hold_display("diagnosis", &diagnosis, body);
    }
}

#[test]
fn nothing_shows_text() {
    let short = Limits { line_len: Some(9), event_len: Some(4), ..Limits::default() };
    for body in BODIES {
        for end in (0..=body.len()).filter(|&end| body.is_char_boundary(end)) {
            read(&body[..end], Limits::default());
            read(&body[..end], short);
        }
    }
}

/// The canary would be seen: what is meant to show text does.
#[test]
fn the_canary_sings_where_it_may() {
    let mut body = Body::new(None);
    let mut chunk = &b"event: canary\ndata: canary\n\n"[..];
    let item = body.next_item(&mut chunk).expect("no limit is reached").expect("an event");
    let event = item.event().expect("an event");
    assert_eq!((&*event.name(), &*event.text()), (CANARY, CANARY));
    let diagnosis = Diagnosis::of(b"the canary sings", true);
    assert_eq!((diagnosis.kind(), &*diagnosis.text()), (BodyKind::Text, "the canary sings"));
}
