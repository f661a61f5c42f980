//! Which failure it is. Three kinds have cures that have nothing in common: a reply that was cut, JSON that is broken, a schema that is not
//! followed. Whoever mixes them up buys the wrong hammer.

use super::slice;
use crate::audit::page::charts::{self, Slice};
use crate::audit::page::figures::{self, share};
use crate::audit::page::markup::Markup;
use crate::audit::page::tables::said;
use crate::audit::page::words::{self, Tint};
use crate::audit::summary::{DiagnosisCount, Summary};

/// The three: stable name, heading, what it means.
const KINDS: [(&str, &str, &str); 3] = [
    ("truncation", "Cut off", "The text was right so far, and ended too early."),
    ("malformation", "Broken JSON", "The text is whole, and is not JSON."),
    ("schema_mismatch", "Against the schema", "It can be read, and is not what was asked for."),
];

/// Characters of a cure that are shown.
const CURE: usize = 400;

/// Adds the section, if anything failed.
pub(super) fn push(page: &mut Markup, summary: &Summary) {
    let diagnoses = &summary.diagnoses[..];
    let whole = diagnoses.iter().fold(0, |sum: u64, diagnosis| sum.saturating_add(diagnosis.count));
    if whole == 0 {
        return;
    }
    page.markup("<section class=\"card\" aria-labelledby=\"kinds\">\n<h2 id=\"kinds\">Which failure it is</h2>\n");
    let count = |name: &str| diagnoses.iter().find(|diagnosis| diagnosis.name == name).map_or(0, |found| found.count);
    let three = KINDS.map(|(name, ..)| count(name));
    let rest = three.iter().fold(whole, |rest, count| rest.saturating_sub(*count));
    bar(page, three, rest, whole);
    page.markup("<ul class=\"kinds\">\n");
    for ((name, heading, meaning), count) in KINDS.into_iter().zip(three) {
        kind(page, Tint::of(name), heading, meaning, count, whole);
    }
    if rest > 0 {
        kind(page, Tint::Other, "Something else", "None of the three: see the table.", rest, whole);
    }
    page.markup("</ul>\n");
    cure(page, summary);
    table(page, diagnoses, whole);
    page.markup("</section>\n");
}

fn bar(page: &mut Markup, three: [u64; 3], rest: u64, whole: u64) {
    let [cut, broken, mismatch] = three.map(|count| share(count, whole));
    let title = format!(
        "Failures by kind: cut off {cut}, broken JSON {broken}, against the schema {mismatch}, something else {}",
        share(rest, whole)
    );
    let mut slices: Vec<_> = KINDS.iter().zip(three).map(|((name, ..), count)| slice(name, count)).collect();
    slices.push(Slice { tint: Tint::Other, count: rest });
    charts::stacked(page, &slices, Some(&title));
}

fn kind(page: &mut Markup, tint: Tint, heading: &'static str, meaning: &'static str, count: u64, whole: u64) {
    page.markup("<li><h3><span");
    page.markup(tint.attribute());
    page.around("></span>", heading, "</h3>");
    page.around("<p class=\"figure\">", &share(count, whole), " ");
    page.around("<span class=\"note\">", &figures::count(count), "</span></p>");
    page.around("<p class=\"note\">", meaning, "</p></li>\n");
}

/// The commonest kind and what to change at the source.
fn cure(page: &mut Markup, summary: &Summary) {
    let Some(cure) = &summary.cure else { return };
    page.markup("<aside class=\"cure\" aria-labelledby=\"cure\">\n<h3 id=\"cure\">The commonest, and its cure</h3>\n");
    page.around("<p class=\"kind\">", words::diagnosis(&cure.diagnosis), " ");
    said(page, "<code class=\"said\">", &cure.diagnosis, "</code></p>\n");
    page.around("<p>", &crate::audit::page::markup::beginning(&cure.text, CURE), "</p>\n</aside>\n");
}

fn table(page: &mut Markup, diagnoses: &[DiagnosisCount], whole: u64) {
    page.markup("<table class=\"cures\"><caption>Failures by diagnosis, and what to change in the request; shares are of the failures</caption>\n");
    page.markup("<thead><tr><th scope=\"col\">Diagnosis</th><th scope=\"col\" class=\"figure\">Count</th>");
    page.markup("<th scope=\"col\" class=\"figure\">Share</th><th scope=\"col\" class=\"words\">Cure</th></tr></thead>\n<tbody>\n");
    for diagnosis in diagnoses {
        page.markup("<tr><th scope=\"row\"><span");
        page.markup(Tint::of(&diagnosis.name).attribute());
        page.markup("></span>");
        said(page, "<code class=\"said\">", &diagnosis.name, "</code></th>");
        page.around("<td class=\"figure\">", &figures::count(diagnosis.count), "</td>");
        page.around("<td class=\"figure\">", &share(diagnosis.count, whole), "</td>");
        page.around(
            "<td class=\"words\">",
            &crate::audit::page::markup::beginning(&diagnosis.cure, CURE),
            "</td></tr>\n",
        );
    }
    page.markup("</tbody></table>\n");
}
