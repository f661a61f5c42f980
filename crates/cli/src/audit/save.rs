//! A file that is there whole, or as it was: written beside its place, then put there.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes a file. What is no regular file (a device, a pipe) is written into; a link is followed.
pub(super) fn whole(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let known = fs::metadata(&place).ok();
    if known.as_ref().is_some_and(|known| !known.is_file()) {
        return fill(OpenOptions::new().write(true).open(&place)?, write).map(drop);
    }
    let beside = beside(&place)?;
    let file = OpenOptions::new().write(true).create_new(true).open(&beside)?;
    let done = fill(file, write).and_then(|file| {
        known.map_or(Ok(()), |known| file.set_permissions(known.permissions()))?;
        file.sync_all()?;
        fs::rename(&beside, &place)
    });
    if done.is_err() {
        // What is wrong has been said.
        let _ = fs::remove_file(&beside);
    }
    done
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
