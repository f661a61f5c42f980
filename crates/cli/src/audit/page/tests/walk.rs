//! A strict reader of pages: stricter than HTML, so that what it lets pass means the same to every browser.

/// A piece of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A tag as it was written.
    Tag(String),
    /// A text node, decoded.
    Text(String),
}

/// Elements that a page may have. None of them loads or runs anything.
const ELEMENTS: &[&str] = &[
    "html", "head", "meta", "title", "style", "body", "header", "main", "footer", "section", "aside", "div", "h1",
    "h2", "h3", "p", "ul", "li", "dl", "dt", "dd", "table", "caption", "thead", "tbody", "tr", "th", "td", "span",
    "code", "pre", "b", "svg", "g", "rect", "circle", "line", "text",
];
/// Attributes that a page may have. None of them is a handler, an address or a style.
const ATTRIBUTES: &[&str] = &[
    "lang",
    "charset",
    "http-equiv",
    "content",
    "name",
    "class",
    "id",
    "aria-labelledby",
    "aria-hidden",
    "role",
    "scope",
    "colspan",
    "viewBox",
    "transform",
    "x",
    "y",
    "dx",
    "x1",
    "x2",
    "y1",
    "y2",
    "cx",
    "cy",
    "r",
    "width",
    "height",
    "pathLength",
    "stroke-dasharray",
    "stroke-dashoffset",
];
const ENTITIES: [(&str, char); 5] = [("amp", '&'), ("lt", '<'), ("gt", '>'), ("quot", '"'), ("#39", '\'')];

/// The pieces of a page, or what is wrong with it.
pub(super) fn walk(page: &str) -> Result<Vec<Piece>, String> {
    let mut rest = page.strip_prefix("<!doctype html>\n").ok_or("no doctype")?;
    let (mut pieces, mut open) = (Vec::new(), Vec::new());
    let (mut ids, mut refers) = (Vec::new(), Vec::new());
    while !rest.is_empty() {
        let (text, behind) = rest.split_at(rest.find('<').unwrap_or(rest.len()));
        if !text.is_empty() {
            pieces.push(Piece::Text(decoded(text)?));
        }
        let Some(inside) = behind.strip_prefix('<') else { break };
        let (tag, behind) = inside.split_once('>').ok_or("a tag without an end")?;
        rest = behind;
        pieces.push(Piece::Tag(tag.into()));
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Err(format!("</{name}> closes nothing"));
            }
            continue;
        }
        let (name, attributes) = opened(tag)?;
        for (attribute, value) in attributes {
            match attribute {
                "id" => ids.push(value),
                "aria-labelledby" => refers.push(value),
                _ => {}
            }
        }
        if tag.ends_with('/') {
            if !open.contains(&"svg") {
                return Err(format!("<{tag}> outside of a picture"));
            }
        } else if name != "meta" {
            open.push(name);
        }
        if name == "style" {
            rest = rest.strip_prefix(super::STYLE).ok_or("a style that is not ours")?;
        }
    }
    if !open.is_empty() {
        return Err(format!("not closed: {open:?}"));
    }
    names(&ids, &refers)?;
    headings(&pieces)?;
    pictures(&pieces)?;
    Ok(pieces)
}

/// Names and values.
type Attributes<'a> = Vec<(&'a str, &'a str)>;

/// The name of a tag that opens, and its attributes.
fn opened(tag: &str) -> Result<(&str, Attributes<'_>), String> {
    let tag = tag.strip_suffix('/').unwrap_or(tag);
    let (name, mut rest) = tag.split_at(tag.find(' ').unwrap_or(tag.len()));
    if !ELEMENTS.contains(&name) {
        return Err(format!("the element {name:?}"));
    }
    let mut found = Attributes::new();
    while !rest.is_empty() {
        let parts = rest.strip_prefix(' ').and_then(|rest| rest.split_once("=\""));
        let (attribute, behind) = parts.ok_or_else(|| format!("<{tag}>"))?;
        let (value, behind) = behind.split_once('"').ok_or_else(|| format!("<{tag}>"))?;
        if !ATTRIBUTES.contains(&attribute) || found.iter().any(|(known, _)| *known == attribute) {
            return Err(format!("the attribute {attribute:?} in <{tag}>"));
        }
        if value.contains(['<', '>', '&', '\n']) || value.contains("NaN") || value.contains("inf") {
            return Err(format!("the value {value:?}"));
        }
        found.push((attribute, value));
        rest = behind;
    }
    Ok((name, found))
}

/// A text node with its entities undone: the five of ours, and no character that reads as something else.
fn decoded(text: &str) -> Result<String, String> {
    let mut parts = text.split('&');
    let mut decoded = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, behind) = part.split_once(';').ok_or_else(|| format!("& in {part:?}"))?;
        let entity = ENTITIES.iter().find(|(known, _)| *known == name);
        decoded.push(entity.ok_or_else(|| format!("the entity {name:?}"))?.1);
        decoded.push_str(behind);
    }
    match text
        .chars()
        .find(|character| matches!(character, '>' | '"' | '\'') || (character.is_control() && *character != '\n'))
    {
        Some(odd) => Err(format!("{odd:?} in a text node")),
        None => Ok(decoded),
    }
}

/// Each id once, and whatever is named by one is there.
fn names(ids: &[&str], refers: &[&str]) -> Result<(), String> {
    let twice = ids.iter().enumerate().find(|(at, id)| ids[..*at].contains(id));
    let missing = refers.iter().find(|id| !ids.contains(id));
    match (twice, missing) {
        (Some((_, id)), _) => Err(format!("two ids {id:?}")),
        (_, Some(id)) => Err(format!("no id {id:?}")),
        _ => Ok(()),
    }
}

/// One first heading, and none that leaves out a level.
fn headings(pieces: &[Piece]) -> Result<(), String> {
    let level = |piece: &Piece| match piece {
        Piece::Tag(tag) => ["h1", "h2", "h3"].iter().position(|name| tag.split(' ').next() == Some(name)),
        Piece::Text(_) => None,
    };
    let levels: Vec<_> = pieces.iter().filter_map(level).collect();
    let jump = levels.windows(2).any(|pair| pair[1] > pair[0] + 1 || pair[1] == 0);
    if levels.first() != Some(&0) || jump { Err(format!("headings: {levels:?}")) } else { Ok(()) }
}

/// A picture has a title as its first child, or is for eyes alone.
fn pictures(pieces: &[Piece]) -> Result<(), String> {
    for pair in pieces.windows(2) {
        if let [Piece::Tag(tag), next] = pair
            && tag.starts_with("svg ")
        {
            let titled = tag.contains("role=\"img\"") && *next == Piece::Tag("title".into());
            if titled == tag.contains("aria-hidden=\"true\"") {
                return Err(format!("<{tag}> has no title"));
            }
        }
    }
    Ok(())
}

#[test]
fn the_reader_finds_what_it_is_for() {
    let of = |body: &str| walk(&format!("<!doctype html>\n<html lang=\"en\"><body><h1>a</h1>{body}</body></html>"));
    assert_eq!(of("<p>b &lt; c</p>").map(|pieces| pieces.contains(&Piece::Text("b < c".into()))), Ok(true));
    for broken in [
        "<img src=\"x\">",
        "<script></script>",
        "<p onclick=\"x\"></p>",
        "<p style=\"x\"></p>",
        "<p class=x></p>",
        "<p>",
        "</p>",
        "<p></div>",
        "a & b",
        "&nbsp;",
        "a > b",
        "a \" b",
        "a ' b",
        "<p",
        "a\u{0}",
        "a\r",
        "<p id=\"a\" id=\"b\"></p>",
        "<p id=\"a\"></p><p id=\"a\"></p>",
        "<p aria-labelledby=\"a\"></p>",
        "<h3></h3>",
        "<h1></h1>",
        "<svg role=\"img\"></svg>",
        "<svg class=\"a\"></svg>",
        "<p/>",
        "<!-- a -->",
        "<style>a</style>",
        "<P></P>",
        "<p\tclass=\"a\"></p>",
        "<p class=\"&\"></p>",
    ] {
        assert!(of(broken).is_err(), "{broken:?}");
    }
}
