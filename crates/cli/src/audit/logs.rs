//! The files of a log: checked before anything is judged, then read in blocks of whole lines.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::queue::{Piece, Queue};
use super::sample::Place;
use crate::input::{CHUNK_LEN, Input, Trouble};
use crate::request::LONGEST_LINE;
use crate::terminal;

/// Bytes of a block, if its lines are short.
const BLOCK: usize = 256 << 10;

/// Files that can be read.
pub(super) struct Logs {
    sources: Vec<Source>,
    /// Their names as they were given.
    pub(super) names: Vec<String>,
    /// Bytes of all of them, if all are regular files.
    pub(super) len: Option<u64>,
}

enum Source {
    /// It can be opened again, and is not kept open: there may be many.
    File(PathBuf),
    /// What comes out of it comes once.
    Open(Box<Input>),
}

/// Whole lines of one file, with their line feeds; of a line that is too long, the beginning.
pub(super) struct Block {
    /// The place of its first line.
    pub(super) start: Place,
    pub(super) bytes: Vec<u8>,
}

impl Piece for Block {
    fn len(&self) -> usize {
        self.bytes.len()
    }
}

impl Logs {
    /// Opens each file, to see whether it can be.
    pub(super) fn open(paths: &[PathBuf]) -> Result<Self, Trouble> {
        let is_standard = |path: &&PathBuf| path.as_path() == Path::new("-");
        if paths.iter().filter(is_standard).count() > 1 {
            return Err(Trouble::Unusable("-".into(), "standard input can be read once".into()));
        }
        let mut logs = Self { sources: Vec::new(), names: Vec::new(), len: Some(0) };
        for path in paths {
            let input = Input::open(Some(path))?;
            if path.is_dir() && !is_standard(&path) {
                return Err(Trouble::Read(input.name, io::Error::from(io::ErrorKind::IsADirectory)));
            }
            logs.names.push(path.to_string_lossy().into_owned());
            logs.len = logs.len.zip(input.len).map(|(all, len)| all + len);
            logs.sources.push(match input.len {
                Some(_) => Source::File(path.clone()),
                None => Source::Open(Box::new(input)),
            });
        }
        Ok(logs)
    }

    /// Whether a file is one of them.
    pub(super) fn hold(&self, path: &Path) -> bool {
        let Ok(path) = fs::canonicalize(path) else { return false };
        let is_it = |source: &Source| match source {
            Source::File(file) => fs::canonicalize(file).is_ok_and(|file| file == path),
            Source::Open(_) => false,
        };
        self.sources.iter().any(is_it)
    }

    /// Reads all of them, in order.
    pub(super) fn read(self, queue: &Queue<Block>, mut skipped: impl FnMut(usize)) -> Result<(), Trouble> {
        for (file, source) in self.sources.into_iter().enumerate() {
            let mut input = match source {
                Source::File(path) => Input::open(Some(&path))?,
                Source::Open(input) => *input,
            };
            let mut lines = Lines::of(file, |block| queue.push(block), &mut skipped);
            while input.next_chunk(|chunk| lines.take(chunk))?.is_some() {}
            lines.end();
        }
        Ok(())
    }
}

/// Puts the chunks of a file together to blocks.
struct Lines<B, S> {
    hand_on: B,
    /// Told of bytes that are in no block.
    skip: S,
    next: Place,
    bytes: Vec<u8>,
    /// 0 <= whole <= bytes.len(): up to here there are whole lines.
    whole: usize,
    /// How many.
    count: u64,
    /// Inside a line that is too long, whose beginning has been handed on.
    is_over: bool,
}

impl<B: FnMut(Block), S: FnMut(usize)> Lines<B, S> {
    fn of(file: usize, hand_on: B, skip: S) -> Self {
        let next = Place { file, line: 1 };
        Self { hand_on, skip, next, bytes: Vec::new(), whole: 0, count: 0, is_over: false }
    }

    fn take(&mut self, mut chunk: &[u8]) {
        if self.is_over {
            let end = chunk.iter().position(|&byte| byte == b'\n').map(|at| at + 1);
            let (rest, next) = chunk.split_at(end.unwrap_or(chunk.len()));
            (self.skip)(rest.len());
            if end.is_none() {
                return;
            }
            self.is_over = false;
            self.next.line += 1;
            chunk = next;
        }
        if let Some(last) = chunk.iter().rposition(|&byte| byte == b'\n') {
            self.whole = self.bytes.len() + last + 1;
            self.count += chunk.iter().filter(|&&byte| byte == b'\n').count() as u64;
        }
        self.bytes.extend_from_slice(chunk);
        if self.bytes.len() >= BLOCK && self.whole > 0 {
            let mut rest = Vec::with_capacity(BLOCK + CHUNK_LEN);
            rest.extend_from_slice(&self.bytes[self.whole..]);
            self.bytes.truncate(self.whole);
            self.hand_on(rest);
        }
        if self.whole == 0 && self.bytes.len() > LONGEST_LINE {
            self.hand_on(Vec::new());
            self.is_over = true;
        }
    }

    fn end(&mut self) {
        if !self.bytes.is_empty() {
            self.hand_on(Vec::new());
        }
    }

    /// Hands on what there is; `rest` stands behind it.
    fn hand_on(&mut self, rest: Vec<u8>) {
        let bytes = std::mem::replace(&mut self.bytes, rest);
        (self.hand_on)(Block { start: self.next, bytes });
        self.next.line += std::mem::take(&mut self.count);
        self.whole = 0;
    }
}

/// What a file that was given is called where a person reads it.
pub(super) fn shown(name: &str) -> String {
    terminal::on_one_line(name, usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of blocks with their numbers, and how many bytes were in no block.
    fn read(text: &[u8], step: usize) -> (Vec<(u64, Vec<u8>)>, usize, usize) {
        let (mut found, mut blocks, mut left) = (Vec::new(), 0, 0);
        let hand_on = |block: Block| {
            blocks += 1;
            let lines = block.bytes.split_inclusive(|&byte| byte == b'\n').zip(block.start.line..);
            found.extend(lines.map(|(line, number)| (number, line.to_vec())));
        };
        let mut lines = Lines::of(0, hand_on, |len| left += len);
        text.chunks(step).for_each(|chunk| lines.take(chunk));
        lines.end();
        drop(lines);
        (found, blocks, left)
    }

    #[test]
    fn blocks_hold_every_line_in_its_place() {
        let line = |number: usize| format!("{}\n", "x".repeat(number * 7919 % 3001));
        let text: String = (0..800).map(line).collect::<String>() + "\n\nthe last one";
        let expected: Vec<_> = text.split_inclusive('\n').map(|line| line.as_bytes().to_vec()).zip(1..).collect();
        for step in [1, 77, 4096, CHUNK_LEN] {
            let (found, blocks, left) = read(text.as_bytes(), step);
            assert!(
                found.iter().map(|(number, line)| (line, *number)).eq(expected.iter().map(|(line, at)| (line, *at)))
            );
            assert!(blocks > 3 && left == 0, "{blocks} blocks, {left} bytes in none");
        }
        assert_eq!(read(b"", 1), (Vec::new(), 0, 0));
    }

    #[test]
    fn of_a_line_that_is_too_long_the_beginning_is_kept() {
        let long = vec![b'x'; LONGEST_LINE + 3 * CHUNK_LEN];
        let text = [b"a\nb\n".as_slice(), &long, b"\nc\n", &long, b"\n\nd"].concat();
        let (found, _, left) = read(&text, CHUNK_LEN);
        let kept = |line: &[u8]| line.len().min(9);
        let shape: Vec<_> = found.iter().map(|(number, line)| (*number, &line[..kept(line)])).collect();
        let x = b"xxxxxxxxx".as_slice();
        assert_eq!(shape, [(1, b"a\n".as_slice()), (2, b"b\n"), (3, x), (4, b"c\n"), (5, x), (6, b"\n"), (7, b"d")]);
        for line in [&found[2].1, &found[4].1] {
            assert!(line.len() > LONGEST_LINE && line.len() <= LONGEST_LINE + 2 * CHUNK_LEN, "{}", line.len());
        }
        assert_eq!(found.iter().map(|(_, line)| line.len()).sum::<usize>() + left, text.len());
    }
}
