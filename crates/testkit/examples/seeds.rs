//! Writes the replies of the corpora into a folder, each as an input of the fuzz targets: `seeds FOLDER`. `fuzz/smoke.sh` runs it.

use std::path::PathBuf;
use std::{env, fs, io};

use thusfar_core::Root;
use thusfar_testkit::corpus;

/// Longer replies hold little that is new, and slow each round down.
const LONGEST: usize = 400;

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::args_os().nth(1).ok_or_else(|| io::Error::other("usage: seeds FOLDER"))?);
    fs::create_dir_all(&folder)?;
    let short = corpus::replies().into_iter().filter(|(.., text)| text.len() <= LONGEST);
    for (name, root, text) in short {
        let root = match root {
            Root::Object => '@',
            Root::Array => 'A',
            Root::Any => 'B',
            Root::Value => 'C',
        };
        // Ending unknown, all repairs, chunks of 3, 1 and 8 bytes.
        fs::write(folder.join(name), format!("H{root}?CAG\n{text}"))?;
    }
    Ok(())
}
