//! Where bytes come from: a file or standard input, in chunks or line by line, and what can go wrong on the way.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::terminal;

/// Bytes that are read at once.
pub(crate) const CHUNK_LEN: usize = 64 << 10;

/// Why a command could not do its work. None is about a reply.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The input, under its name, cannot be read.
    Read(String, io::Error),
    /// What is under this name is no configuration, and why.
    Unusable(String, String),
    /// The output cannot be written.
    Write(io::Error),
    /// A file, under its name, cannot be written.
    Save(String, io::Error),
}

impl Trouble {
    /// Whether the reader of our output went away, which is no news.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Write(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// The sentence for people.
    pub(crate) fn message(&self) -> String {
        match self {
            Self::Read(name, error) => format!("cannot read {name}: {}", reason(error)),
            Self::Unusable(name, why) => format!("{name}: {why}"),
            Self::Write(error) => format!("cannot write: {}", reason(error)),
            Self::Save(name, error) => format!("cannot write {name}: {}", reason(error)),
        }
    }
}

/// What the system says, without its number, as the middle of a sentence.
fn reason(error: &io::Error) -> String {
    let said = error.to_string();
    let said = said.split(" (os error").next().unwrap_or_default();
    let mut characters = said.chars();
    let first = characters.next().map(|first| first.to_ascii_lowercase());
    terminal::escaped(&first.into_iter().chain(characters).collect::<String>())
}

/// An open input.
pub(crate) struct Input {
    /// What to call it.
    pub(crate) name: String,
    /// Its length, if it is a regular file.
    pub(crate) len: Option<u64>,
    reader: BufReader<Box<dyn Read + Send>>,
}

/// What a flag names: its bytes, of a longer file the first `most`, and what to call it. `input` is where the replies come from.
pub(crate) fn configuration(
    flag: &str,
    path: &PathBuf,
    input: Option<&PathBuf>,
    most: usize,
) -> Result<(Vec<u8>, String), Trouble> {
    let is_standard = |path: &Path| path == Path::new("-");
    if is_standard(path) && input.is_none_or(|input| is_standard(input)) {
        let why = format!("standard input cannot be the {} and the input", flag.trim_start_matches('-'));
        return Err(Trouble::Unusable(flag.to_owned(), why));
    }
    let mut file = Input::open(Some(path))?;
    let bytes = file.read_whole(most)?;
    Ok((bytes, file.name))
}

/// How much of an input is taken at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// What is there, and not more than this.
    UpTo(usize),
    /// This much, however it comes; less at the end alone.
    Exactly(usize),
}

impl Input {
    /// Opens the file, or standard input for `-` and for none.
    pub(crate) fn open(file: Option<&PathBuf>) -> Result<Self, Trouble> {
        let Some(path) = file.filter(|path| path.as_path() != Path::new("-")) else {
            return Ok(Self::of("standard input".into(), None, Box::new(io::stdin())));
        };
        let name = terminal::on_one_line(&path.to_string_lossy(), usize::MAX);
        match File::open(path).and_then(|file| Ok((file.metadata()?, file))) {
            Ok((known, file)) => Ok(Self::of(name, known.is_file().then_some(known.len()), Box::new(file))),
            Err(error) => Err(Trouble::Read(name, error)),
        }
    }

    fn of(name: String, len: Option<u64>, reader: Box<dyn Read + Send>) -> Self {
        Self { name, len, reader: BufReader::with_capacity(CHUNK_LEN, reader) }
    }

    /// Reads what is there next and hands it to `take`; `None` at the end.
    pub(crate) fn next_chunk<T>(&mut self, take: impl FnOnce(&[u8]) -> T) -> Result<Option<T>, Trouble> {
        let chunk = fill(&mut self.reader).map_err(|error| Trouble::Read(self.name.clone(), error))?;
        if chunk.is_empty() {
            return Ok(None);
        }
        let len = chunk.len();
        let taken = take(chunk);
        self.reader.consume(len);
        Ok(Some(taken))
    }

    /// Reads all of it, and of a longer one the first `most` bytes.
    pub(crate) fn read_whole(&mut self, most: usize) -> Result<Vec<u8>, Trouble> {
        let mut read = Vec::new();
        while read.len() < most {
            let room = most - read.len();
            let taken = self.next_chunk(|chunk| read.extend_from_slice(&chunk[..chunk.len().min(room)]))?;
            if taken.is_none() {
                break;
            }
        }
        Ok(read)
    }

    /// Reads the next piece into `taken`; an empty one is the end.
    pub(crate) fn next_piece(&mut self, piece: Piece, taken: &mut Vec<u8>) -> Result<(), Trouble> {
        taken.clear();
        let (Piece::UpTo(most) | Piece::Exactly(most)) = piece;
        while taken.len() < most {
            let chunk = fill(&mut self.reader).map_err(|error| Trouble::Read(self.name.clone(), error))?;
            let len = chunk.len().min(most - taken.len());
            taken.extend_from_slice(&chunk[..len]);
            self.reader.consume(len);
            if len == 0 || matches!(piece, Piece::UpTo(_)) {
                break;
            }
        }
        Ok(())
    }

    /// Whether there is nothing that has been read ahead: the next read may wait.
    pub(crate) fn may_wait(&self) -> bool {
        self.reader.buffer().is_empty()
    }

    /// Reads the next line into `line`, without its line feed; `None` at the end. Of a line that is longer than `most`
    /// bytes only the first `most` are kept. `before_wait` is called whenever nothing more has been read ahead.
    pub(crate) fn next_line(
        &mut self,
        line: &mut Vec<u8>,
        most: usize,
        mut before_wait: impl FnMut() -> Result<(), Trouble>,
    ) -> Result<Option<Line>, Trouble> {
        line.clear();
        let mut read_len = 0;
        let mut is_whole = true;
        loop {
            if self.reader.buffer().is_empty() {
                before_wait()?;
            }
            let chunk = fill(&mut self.reader).map_err(|error| Trouble::Read(self.name.clone(), error))?;
            let line_feed = chunk.iter().position(|&byte| byte == b'\n');
            let piece = &chunk[..line_feed.unwrap_or(chunk.len())];
            let kept = piece.len().min(most - line.len());
            is_whole &= kept == piece.len();
            line.extend_from_slice(&piece[..kept]);
            let piece_len = piece.len() + usize::from(line_feed.is_some());
            read_len += piece_len;
            self.reader.consume(piece_len);
            if piece_len == 0 && read_len == 0 {
                return Ok(None);
            }
            if line_feed.is_some() || piece_len == 0 {
                return Ok(Some(Line { read_len, is_whole }));
            }
        }
    }
}

/// A line that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// Bytes of the input that it took, its line feed among them.
    pub(crate) read_len: usize,
    /// Whether all of it was kept.
    pub(crate) is_whole: bool,
}

/// Waits for bytes; a signal does not end the wait.
fn fill(reader: &mut BufReader<Box<dyn Read + Send>>) -> io::Result<&[u8]> {
    while let Err(error) = reader.fill_buf() {
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    Ok(reader.buffer())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An input that gives at most `step` bytes at a time.
    fn read_by(step: usize, bytes: &'static [u8]) -> Input {
        Input { name: String::new(), len: None, reader: BufReader::with_capacity(step, Box::new(bytes)) }
    }

    #[test]
    fn pieces_are_as_long_as_they_are_to_be() {
        let text = b"0123456789";
        for (step, len) in (1..12).flat_map(|step| (1..12).map(move |len| (step, len))) {
            let mut taken = Vec::new();
            let mut pieces = |piece| {
                let mut input = read_by(step, text);
                let mut pieces: Vec<Vec<u8>> = Vec::new();
                while input.next_piece(piece, &mut taken).is_ok() && !taken.is_empty() {
                    pieces.push(taken.clone());
                }
                pieces
            };
            assert_eq!(pieces(Piece::Exactly(len)), text.chunks(len).collect::<Vec<_>>(), "{len} by {step}");
            let some = pieces(Piece::UpTo(len));
            assert_eq!(some.concat(), text, "{len} by {step}");
            assert!(some.iter().all(|piece| piece.len() <= len.min(step)), "{len} by {step}");
        }
    }

    /// Every line of `text`, with at most `most` bytes kept, read `step` bytes at a time.
    fn lines(text: &'static str, most: usize, step: usize) -> Vec<(String, bool)> {
        let mut input = read_by(step, text.as_bytes());
        let mut buffer = Vec::new();
        let mut lines = Vec::new();
        let mut read_len = 0;
        while let Ok(Some(line)) = input.next_line(&mut buffer, most, || Ok(())) {
            lines.push((String::from_utf8_lossy(&buffer).into_owned(), line.is_whole));
            read_len += line.read_len;
        }
        assert_eq!(read_len, text.len());
        lines
    }

    #[test]
    fn lines_are_the_same_however_they_are_read() {
        for (text, expected) in [
            ("", &[][..]),
            ("\n", &[("", true)]),
            ("a", &[("a", true)]),
            ("a\n", &[("a", true)]),
            ("ab\n\ncd", &[("ab", true), ("", true), ("cd", true)]),
            ("abc\nabcd\nabcdefgh\na", &[("abc", true), ("abc", false), ("abc", false), ("a", true)]),
        ] {
            let expected: Vec<_> = expected.iter().map(|&(line, is_whole)| (line.to_owned(), is_whole)).collect();
            for step in 1..12 {
                assert_eq!(lines(text, 3, step), expected, "{text:?} by {step}");
            }
        }
    }
}
