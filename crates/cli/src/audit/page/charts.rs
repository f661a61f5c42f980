//! Charts as inline SVG. Every length is an attribute that was worked out here, so the page needs no inline style.
//!
//! A chart without a viewport counts in percent across and in pixels down: it follows the width of the page, and its words keep their size.

use super::figures;
use super::markup::Markup;
use super::words::Tint;
use crate::audit::summary::{Bucket, Lengths};

/// The least that is drawn of what is not nothing, in percent: it stays visible.
const LEAST: f64 = 0.7;
/// Rows of words above the columns of a histogram, the columns, and where the words below them stand; pixels.
const TOP: f64 = 46.0;
const TALL: f64 = 150.0;
const BELOW: f64 = TOP + TALL + 18.0;

/// A part of a whole, and its colour.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slice {
    pub(super) tint: Tint,
    pub(super) count: u64,
}

/// Where each slice begins and how long it is, in percent of the whole. What is not nothing keeps a visible length; the longest gives.
fn lengths(slices: &[Slice]) -> Vec<(f64, f64)> {
    let whole = slices.iter().fold(0, |sum: u64, slice| sum.saturating_add(slice.count));
    let length = |slice: &Slice| match slice.count {
        0 => 0.0,
        count => (figures::part(count, whole) * 100.0).max(LEAST),
    };
    let raw: Vec<_> = slices.iter().map(length).collect();
    let sum: f64 = raw.iter().sum();
    let scale = if sum > 100.0 { 100.0 / sum } else { 1.0 };
    let mut from = 0.0;
    let placed = raw.into_iter().map(|length| {
        let start = from;
        from += length * scale;
        (start, length * scale)
    });
    placed.collect()
}

/// A ring of parts with two lines of words in it.
pub(super) fn donut(page: &mut Markup, slices: &[Slice], title: &str, middle: &str, below: &str) {
    page.markup("<svg class=\"donut\" viewBox=\"0 0 120 120\" role=\"img\">");
    page.around("<title>", title, "</title>");
    page.markup("<circle class=\"track\" cx=\"60\" cy=\"60\" r=\"50\"/><g transform=\"rotate(-90 60 60)\">");
    let shown: Vec<_> = slices.iter().filter(|slice| slice.count > 0).copied().collect();
    // A gap tells neighbours apart where colours do not.
    let gap = if shown.len() > 1 { 0.4 } else { 0.0 };
    for (slice, (from, length)) in shown.iter().zip(lengths(&shown)) {
        page.markup("<circle");
        page.markup(slice.tint.attribute());
        page.markup(" cx=\"60\" cy=\"60\" r=\"50\" pathLength=\"100\"");
        let drawn = (length - gap).max(LEAST - 0.4);
        page.dashes(drawn, 100.0 - drawn);
        page.number("stroke-dashoffset", -from);
        page.markup("/>");
    }
    page.markup("</g>");
    // What does not fit into the ring is written smaller.
    let open = match middle.chars().count() {
        0..=5 => "<text class=\"big\" x=\"60\" y=\"64\">",
        _ => "<text class=\"big long\" x=\"60\" y=\"64\">",
    };
    page.around(open, middle, "</text>");
    page.around("<text class=\"small\" x=\"60\" y=\"79\">", below, "</text></svg>");
}

/// How long a bar is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Scale {
    /// A part of so many, on a track that is all of them.
    Of(u64),
    /// Beside other bars, of which the longest stands for so many.
    To(u64),
}

/// One bar, for eyes alone: the number stands beside it.
pub(super) fn bar(page: &mut Markup, tint: Tint, count: u64, scale: Scale) {
    page.markup("<svg class=\"bar\" aria-hidden=\"true\">");
    let whole = match scale {
        Scale::Of(whole) => {
            page.markup("<rect class=\"track\" width=\"100%\" height=\"100%\"/>");
            whole
        }
        Scale::To(most) => most,
    };
    if count > 0 {
        rect(page, tint, 0.0, (figures::part(count, whole) * 100.0).max(LEAST));
    }
    page.markup("</svg>");
}

/// One bar of several parts. With a title it is a picture; without one it is for eyes alone.
pub(super) fn stacked(page: &mut Markup, slices: &[Slice], title: Option<&str>) {
    match title {
        Some(title) => {
            page.around("<svg class=\"bar stack\" role=\"img\"><title>", title, "</title>");
        }
        None => page.markup("<svg class=\"bar\" aria-hidden=\"true\">"),
    }
    page.markup("<rect class=\"track\" width=\"100%\" height=\"100%\"/>");
    let shown: Vec<_> = slices.iter().filter(|slice| slice.count > 0).copied().collect();
    for (slice, (from, length)) in shown.iter().zip(lengths(&shown)) {
        rect(page, slice.tint, from, length);
    }
    page.markup("</svg>");
}

fn rect(page: &mut Markup, tint: Tint, from: f64, length: f64) {
    page.markup("<rect");
    page.markup(tint.attribute());
    page.percent("x", from);
    page.percent("width", length);
    page.markup(" height=\"100%\"/>");
}

/// The lengths of replies as columns, with the median and the 99th percentile marked.
pub(super) fn histogram(page: &mut Markup, lengths: &Lengths) {
    let buckets = &lengths.buckets[..];
    let (median, p99) = (figures::bytes(lengths.median), figures::bytes(lengths.p99));
    page.markup("<svg class=\"histogram\" role=\"img\">");
    let title = format!(
        "Histogram of the lengths of {}: median {median}, 99th percentile {p99}",
        figures::counted(lengths.replies, "reply", "replies")
    );
    page.around("<title>", &title, "</title>");
    columns(page, buckets);
    page.markup("<line class=\"axis\" x1=\"0\" x2=\"100%\"");
    page.number("y1", TOP + TALL);
    page.number("y2", TOP + TALL);
    page.markup("/>");
    marker(page, place(buckets, lengths.median), 14.0, &format!("median {median}"));
    marker(page, place(buckets, lengths.p99), 34.0, &format!("99th percentile {p99}"));
    ticks(page, buckets);
    page.markup("</svg>");
}

fn columns(page: &mut Markup, buckets: &[Bucket]) {
    let tallest = buckets.iter().map(|bucket| bucket.count).max().unwrap_or(0);
    let wide = 100.0 / buckets.len().max(1) as f64;
    for (at, bucket) in buckets.iter().enumerate().filter(|(_, bucket)| bucket.count > 0) {
        let tall = (figures::part(bucket.count, tallest) * TALL).max(2.0);
        page.markup("<rect class=\"column\"");
        page.percent("x", at as f64 * wide + wide * 0.06);
        page.percent("width", wide * 0.88);
        page.number("y", TOP + TALL - tall);
        page.number("height", tall);
        let replies = figures::counted(bucket.count, "reply", "replies");
        let title = match bucket.to.saturating_sub(1) {
            last if last > bucket.from => {
                format!("{} to {}: {replies}", figures::bytes(bucket.from), figures::bytes(last))
            }
            _ => format!("{}: {replies}", figures::bytes(bucket.from)),
        };
        page.around("><title>", &title, "</title></rect>");
    }
}

/// Where a length stands across, in percent: inside its bucket, by how far it is through it.
fn place(buckets: &[Bucket], len: u64) -> f64 {
    let wide = 100.0 / buckets.len().max(1) as f64;
    let at = buckets.iter().position(|bucket| len < bucket.to).unwrap_or(buckets.len().saturating_sub(1));
    let inside = buckets.get(at).map_or(0.5, |bucket| {
        let span = bucket.to.saturating_sub(bucket.from).max(1) as f64;
        (len.saturating_sub(bucket.from) as f64 + 0.5) / span
    });
    (at as f64 + inside.min(1.0)) * wide
}

/// A line down to the axis, and its words on the side that has room.
fn marker(page: &mut Markup, across: f64, down: f64, words: &str) {
    page.markup("<line class=\"mark\"");
    page.percent("x1", across);
    page.percent("x2", across);
    page.number("y1", down - 10.0);
    page.number("y2", TOP + TALL);
    page.markup("/><text");
    page.markup(if across > 50.0 { " class=\"mark end\" dx=\"-6\"" } else { " class=\"mark\" dx=\"6\"" });
    page.percent("x", across);
    page.number("y", down);
    page.around(">", words, "</text>");
}

/// Lengths below the axis: at both ends, and at the quarters between if there are columns enough.
fn ticks(page: &mut Markup, buckets: &[Bucket]) {
    let (Some(first), Some(last)) = (buckets.first(), buckets.last()) else { return };
    tick(page, "<text class=\"tick\"", 0.0, first.from);
    let quarters: &[(usize, &str)] = match buckets.len() {
        0..8 => &[],
        _ => &[
            (1, "<text class=\"tick quarter\""),
            (2, "<text class=\"tick middle\""),
            (3, "<text class=\"tick quarter\""),
        ],
    };
    for (quarter, open) in quarters {
        let at = buckets.len() * quarter / 4;
        let across = at as f64 * 100.0 / buckets.len() as f64;
        tick(page, open, across, buckets[at].from);
    }
    tick(page, "<text class=\"tick end\"", 100.0, last.to);
}

fn tick(page: &mut Markup, open: &'static str, across: f64, len: u64) {
    page.markup(open);
    page.percent("x", across);
    page.number("y", BELOW);
    page.around(">", &figures::bytes(len), "</text>");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slices(counts: &[u64]) -> Vec<Slice> {
        counts.iter().map(|count| Slice { tint: Tint::Plain, count: *count }).collect()
    }

    #[test]
    fn slices_tile_the_whole_and_stay_visible() {
        for counts in
            [&[1][..], &[1, 1], &[3_999_998, 1, 1], &[u64::MAX, u64::MAX, 1], &[0, 5, 0], &[1; 256], &[0], &[]]
        {
            let placed = lengths(&slices(counts));
            let mut end = 0.0;
            for ((from, length), count) in placed.iter().zip(counts) {
                assert!((from - end).abs() < 1e-9 && (*length > 0.2) == (*count > 0), "{counts:?}: {placed:?}");
                end = from + length;
            }
            assert!(end < 100.0 + 1e-9, "{counts:?}: {end}");
        }
        let placed = lengths(&slices(&[1, 3]));
        assert_eq!(placed, [(0.0, 25.0), (25.0, 75.0)], "where all are visible, a length is a share");
    }

    #[test]
    fn a_length_stands_in_its_column() {
        let bucket = |from, to| Bucket { from, to, count: 1 };
        let buckets = [bucket(2, 3), bucket(3, 4), bucket(4, 6), bucket(6, 8)];
        let places = [2, 3, 4, 5, 7].map(|len| place(&buckets, len));
        assert_eq!(places, [12.5, 37.5, 56.25, 68.75, 93.75]);
        assert!(place(&buckets, u64::MAX) <= 100.0 && place(&buckets, 0) >= 0.0 && place(&[], 1).is_finite());
    }
}
