//! A file that is there whole, or as it was: written beside its place, then put there.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// Why a file could not be put there, as far as that is known beforehand. What stands there is not replaced unless it is empty, or begins
/// like this: a name that was meant for something else would cost a log.
pub(super) fn check(path: &Path, beginning: &[u8]) -> io::Result<()> {
    let place = place(path);
    match fs::metadata(&place) {
        Ok(known) if known.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(known) if !known.is_file() => return Ok(()),
        Ok(_) if !is_empty_or_begins(&place, beginning)? => return Err(io::Error::other("what is there is no page")),
        Err(_) if path.as_os_str().as_encoded_bytes().ends_with(b"/") => return Err(io::ErrorKind::IsADirectory.into()),
        _ => {}
    }
    let beside = beside(&place)?;
    OpenOptions::new().write(true).create_new(true).open(&beside)?;
    fs::remove_file(&beside)
}

fn is_empty_or_begins(place: &Path, beginning: &[u8]) -> io::Result<bool> {
    let mut found = Vec::new();
    File::open(place)?.take(beginning.len() as u64).read_to_end(&mut found)?;
    Ok(found.is_empty() || found == beginning)
}

/// Writes a file. What is no regular file (a device, a pipe) is written into; a link is followed.
pub(super) fn whole(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    let place = place(path);
    let known = fs::metadata(&place).ok();
    if known.as_ref().is_some_and(|known| !known.is_file()) {
        return fill(OpenOptions::new().write(true).open(&place)?, write).map(drop);
    }
    let beside = beside(&place)?;
    let file = OpenOptions::new().write(true).create_new(true).open(&beside)?;
    // Nobody reads it in the meantime who could not read what it replaces.
    let kept = known.map_or(Ok(()), |known| file.set_permissions(known.permissions()));
    let done = kept.and_then(|()| fill(file, write)).and_then(|file| {
        file.sync_all()?;
        fs::rename(&beside, &place)
    });
    if done.is_err() {
        // What is wrong has been said.
        let _ = fs::remove_file(&beside);
    }
    done
}

/// Where a path leads; a link may lead to what is not there yet.
fn place(path: &Path) -> PathBuf {
    let leads_to = |_| fs::read_link(path).map_or_else(|_| path.to_owned(), |to| path.with_file_name(to));
    fs::canonicalize(path).unwrap_or_else(leads_to)
}

fn fill(file: File, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<File> {
    let mut file = BufWriter::new(file);
    write(&mut file)?;
    file.flush()?;
    file.into_inner().map_err(io::IntoInnerError::into_error)
}

/// A name beside a file that nobody else has.
fn beside(place: &Path) -> io::Result<PathBuf> {
    let name = place.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let mut name = name.to_owned();
    name.push(format!(".{}.part", std::process::id()));
    Ok(place.with_file_name(name))
}
