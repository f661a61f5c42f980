//! The wire: the vectors of event streams, under every way of cutting them.

use thusfar::stream::Limits;
use thusfar_testkit::corpus::{self, SseEvent, SseRow};
use thusfar_testkit::wire::{Report, SSE, Said, check_wire, is_whole_data};

fn read(body: &[u8]) -> Report {
    check_wire(&SSE, Limits::default(), body)
}

/// An event as a row would tell it.
fn event(said: &Said) -> SseEvent {
    let Said::Event { name, id, retry, .. } = said else { panic!("no event: {said:?}") };
    SseEvent { event: name.clone(), data: said.text(), id: id.clone(), retry: *retry }
}

fn events(report: &Report) -> Vec<SseEvent> {
    report.items.iter().filter(|said| matches!(said, Said::Event { .. })).map(event).collect()
}

/// How many events are out after each chunk.
fn events_by_chunk(chunks: &[Vec<u8>]) -> Vec<usize> {
    let mut decoder = (SSE.make)(Limits::default());
    let mut count = 0;
    let out = chunks.iter().map(|chunk| {
        let mut rest = &chunk[..];
        while let Some(item) = decoder.next_item(&mut rest).expect("no limit is reached") {
            count += usize::from(item.event().is_some());
        }
        count
    });
    out.collect()
}

fn hold(row: &SseRow) {
    let (name, chunks) = (&row.name, corpus::chunks(&row.chunks_b64));
    assert_eq!(events_by_chunk(&chunks), row.events_by_chunk, "{name}: after each chunk");
    let report = read(&chunks.concat());
    assert_eq!(events(&report), row.events, "{name}");
    let known = (row.known.last_event_id.clone().into_bytes(), row.known.retry);
    assert_eq!(report.told, Some(known), "{name}: at the end");
    let end = report.end.expect("no limit is reached");
    let flags = (end.partial_line, end.pending_event);
    assert_eq!(flags, (row.eof.partial_line, row.eof.pending_event), "{name}: left at the end");
    // A lenient reader takes what is pending as it is; here it must be whole besides.
    let whole = row.events_eof_flush.iter().filter(|event| is_whole_data(&event.data, row.eof.partial_line));
    assert_eq!(end.whole.iter().map(event).collect::<Vec<_>>(), whole.cloned().collect::<Vec<_>>(), "{name}: whole");
}

#[test]
fn vectors() {
    let rows = corpus::sse();
    assert_eq!(rows.len(), 179);
    rows.iter().for_each(hold);
}
