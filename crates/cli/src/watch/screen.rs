//! How rows come onto the terminal: in place, and only those that are new, in one write.

use std::fmt::Write as _;
use std::io;
use std::time::{Duration, Instant};

use console::Term;

use super::frame::{Frame, Role, Row};
use crate::terminal::Palette;

/// The least time between two frames.
const PAUSE: Duration = Duration::from_millis(34);
/// A frame that took long to make is followed by so many times its own time.
const SHARE: u32 = 4;
/// The size of a terminal that does not say it.
const SIZE: (u16, u16) = (24, 80);

/// Standard output, if it is a terminal.
pub(super) struct Screen {
    term: Term,
    palette: Palette,
    /// What stands there, from the top; the cursor is below it.
    shown: Vec<String>,
    columns: usize,
    next: Option<Instant>,
    /// Nothing can be drawn over: only the last frame is printed.
    is_dumb: bool,
}

impl Screen {
    pub(super) fn stdout() -> Self {
        let term = Term::buffered_stdout();
        // Asking for colours makes old consoles of Windows understand control sequences.
        let is_dumb = !term.features().colors_supported() && console::is_dumb();
        Self { term, palette: Palette::stdout(), shown: Vec::new(), columns: 0, next: None, is_dumb }
    }

    /// How long it is until the next frame may be drawn.
    pub(super) fn wait(&self) -> Duration {
        self.next.map_or(Duration::ZERO, |next| next.saturating_duration_since(Instant::now()))
    }

    /// Draws a frame in the place of the one before.
    pub(super) fn draw(&mut self, frame: &Frame) -> io::Result<()> {
        let began = Instant::now();
        if !self.is_dumb {
            let (height, width) = self.size();
            // The last line is for the cursor. The last column stays empty: a cursor that stands behind it would clear it.
            let rows = frame.fit(width.saturating_sub(1), height.saturating_sub(1));
            let rows: Vec<_> = rows.iter().map(|row| painted(row, self.palette)).collect();
            if self.columns != width {
                self.take_away(height, width)?;
            }
            self.term.write_str(&update(&self.shown, &rows))?;
            self.term.flush()?;
            self.shown = rows;
        }
        self.next = Some(Instant::now() + PAUSE.max(began.elapsed() * SHARE));
        Ok(())
    }

    /// Leaves the frame behind, whole, however long it is.
    pub(super) fn leave(&mut self, frame: &Frame) -> io::Result<()> {
        let (height, width) = self.size();
        self.take_away(height, width)?;
        for row in frame.whole() {
            self.term.write_str(&painted(&row, self.palette))?;
            self.term.write_str("\n")?;
        }
        self.term.flush()
    }

    /// Rows and columns.
    fn size(&self) -> (usize, usize) {
        let known = self.term.size_checked().filter(|&(height, width)| height > 0 && width > 0);
        let (height, width) = known.unwrap_or(SIZE);
        (height.into(), width.into())
    }

    /// Takes away what stands there, row by row: what is cleared at once, some terminals keep for scrolling back. It may have
    /// been drawn for another width, and take more rows now.
    fn take_away(&mut self, height: usize, width: usize) -> io::Result<()> {
        let rows = |line: &String| console::measure_text_width(line).max(1).div_ceil(width.max(1));
        let count = self.shown.iter().map(rows).sum::<usize>().min(height.saturating_sub(1));
        self.shown.clear();
        self.columns = width;
        if count == 0 {
            return Ok(());
        }
        let cleared = "\x1b[2K\n".repeat(count);
        self.term.write_str(&format!("\x1b[{count}A\r{cleared}\x1b[{count}A"))
    }
}

/// What makes one frame of another: rows that are the same at the top stay untouched. The terminal is told to show it at
/// once, and not to break rows that it takes to be longer than we do.
fn update(shown: &[String], rows: &[String]) -> String {
    let same = shown.iter().zip(rows).take_while(|(old, new)| old == new).count();
    if same == shown.len() && same == rows.len() {
        return String::new();
    }
    let mut text = String::from("\x1b[?2026h\x1b[?7l");
    if shown.len() > same {
        // Writing to a `String` cannot fail.
        let _ = write!(text, "\x1b[{}A", shown.len() - same);
    }
    for row in &rows[same..] {
        text.push('\r');
        text.push_str(row);
        text.push_str("\x1b[K\n");
    }
    text.push_str("\r\x1b[J\x1b[?7h\x1b[?2026l");
    text
}

/// A row with its colours.
fn painted(row: &Row, palette: Palette) -> String {
    let style = match row.role {
        Role::Document | Role::Ended if row.mark.is_empty() => return row.text.clone(),
        Role::Document | Role::Ended => {
            let style = if row.role == Role::Ended { palette.failure } else { palette.repair };
            return format!("{}{style}{}{style:#}", row.text, row.mark);
        }
        Role::Heading => palette.frame,
        Role::Status => palette.warning,
        Role::Good => palette.repair,
        Role::Bad => palette.failure,
    };
    format!("{style}{}{}{style:#}", row.text, row.mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a terminal shows, which is high enough, knows the sequences of `update`, and breaks no rows.
    fn shown(updates: &[String]) -> Vec<String> {
        let mut rows: Vec<Vec<char>> = vec![Vec::new()];
        let (mut row, mut column) = (0, 0);
        let updates = updates.concat();
        let mut rest = updates.as_str();
        while let Some(character) = rest.chars().next() {
            let is_end = |c: char| c.is_ascii_alphabetic();
            let len =
                if character == '\x1b' { rest.find(is_end).expect("a sequence") + 1 } else { character.len_utf8() };
            let (piece, behind) = rest.split_at(len);
            rest = behind;
            match piece {
                "\r" => column = 0,
                "\n" => (row, column) = (row + 1, 0),
                "\x1b[K" => rows[row].truncate(column),
                "\x1b[J" => {
                    rows[row].truncate(column);
                    rows.truncate(row + 1);
                }
                up if up.ends_with('A') => row -= up[2..len - 1].parse::<usize>().expect("a number"),
                mode if character == '\x1b' => assert!(mode.starts_with("\x1b[?"), "{mode:?}"),
                _ => {
                    let past = rows[row].len().min(column + 1);
                    rows[row].splice(column..past, [character]);
                    column += 1;
                }
            }
            rows.resize(rows.len().max(row + 1), Vec::new());
        }
        assert_eq!((rows.pop(), column), (Some(Vec::new()), 0), "the cursor stands below");
        rows.into_iter().map(|row| row.into_iter().collect()).collect()
    }

    #[test]
    fn an_update_leaves_the_new_rows() {
        let frame = |text: &str| text.split('|').filter(|row| !row.is_empty()).map(str::to_owned).collect::<Vec<_>>();
        let frames = ["a", "a|long", "a|c|d", "x|c|d|e", "x|c", "x|c", "", "y"].map(frame);
        let mut updates = Vec::new();
        for at in 0..frames.len() {
            let before = if at == 0 { &[][..] } else { &frames[at - 1] };
            updates.push(update(before, &frames[at]));
            assert_eq!(shown(&updates), frames[at], "frame {at}");
        }
        assert_eq!(updates[5], "", "nothing is written where nothing is new");
        assert!(updates[2].contains("\x1b[1A") && !updates[2].contains('a'), "what stays is not written again");
    }

    #[test]
    fn rows_are_plain_without_colours() {
        let row = Row { role: Role::Document, text: "\"a".into(), mark: "▌" };
        assert_eq!(painted(&row, Palette::default()), "\"a▌");
        assert_eq!(painted(&Row { role: Role::Bad, ..row }, Palette::default()), "\"a▌");
    }
}
