//! `thusfar watch`: the document as it grows. On a terminal it is drawn, elsewhere each change is a line of JSON.

mod voices; // who speaks, and what is known
mod feed; // the input in pieces
mod lines; // what is shown as lines of JSON
mod frame; // what is shown to a person
mod screen; // and how it comes there

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;

use crate::Exit;
use crate::args::WatchArgs;
use crate::input::Trouble;
use crate::terminal::{self, Output};
use feed::Feed;
use frame::{Frame, Status};
use lines::{Form, Lines};
use screen::Screen;
use voices::{End, Voices};

/// Pieces that are read ahead of the drawing.
const AHEAD: usize = 16;

/// Reads a reply, or a body, and shows its document as it grows.
pub(crate) fn run(args: &WatchArgs, output: &mut Output) -> Result<Exit, Trouble> {
    let feed = Feed::open(args)?;
    let name = feed.name().to_owned();
    let voices = Voices::new(args);
    let form = match args {
        WatchArgs { views: true, .. } => Some(Form::Views),
        WatchArgs { json_patch: true, .. } => Some(Form::Patches),
        _ if output.is_terminal() => None,
        _ => Some(Form::Changes),
    };
    let end = match form {
        Some(form) => print(args, feed, voices, form, output)?,
        None => draw(args, feed, voices)?,
    };
    if form != Some(Form::Changes) {
        terminal::tell(&end.notes(&name));
    }
    Ok(if end.is_good() { Exit::Ok } else { Exit::Failure })
}

/// Prints lines of JSON.
fn print(
    args: &WatchArgs,
    mut feed: Feed,
    mut voices: Voices,
    form: Form,
    output: &mut Output,
) -> Result<End, Trouble> {
    let mut lines = Lines::new(form);
    while let Some(piece) = feed.next()? {
        let is_decided = voices.push(piece);
        lines.take(&voices);
        output.text(&lines.text).map_err(Trouble::Write)?;
        lines.text.clear();
        if feed.may_wait() {
            output.flush().map_err(Trouble::Write)?;
        }
        // There is a view of each prefix; what changes has come to its end.
        if is_decided && form != Form::Views {
            break;
        }
    }
    let bytes = voices.bytes();
    let end = voices.finish(args.judging.ending, |at, lane, view| lines.follow(at, lane, view, bytes));
    lines.end(&end, bytes);
    output.text(&lines.text).and_then(|()| output.flush()).map_err(Trouble::Write)?;
    Ok(end)
}

/// Draws it on the terminal. Reading goes on while nothing is drawn, and what came is drawn even if nothing more comes.
fn draw(args: &WatchArgs, mut feed: Feed, mut voices: Voices) -> Result<End, Trouble> {
    let (sender, pieces) = sync_channel(AHEAD);
    thread::spawn(move || {
        loop {
            let piece = feed.next().map(|piece| piece.map(<[u8]>::to_vec)).transpose();
            let Some(piece) = piece else { break };
            let is_last = piece.is_err();
            if sender.send(piece).is_err() || is_last {
                break;
            }
        }
    });
    let mut screen = Screen::stdout();
    let mut is_drawn = false;
    loop {
        if !is_drawn && screen.wait().is_zero() {
            screen.draw(&frame_of(&voices)).map_err(Trouble::Write)?;
            is_drawn = true;
        }
        let piece = if is_drawn {
            pieces.recv().map_err(|_| RecvTimeoutError::Disconnected)
        } else {
            pieces.recv_timeout(screen.wait())
        };
        match piece {
            Ok(piece) => {
                is_drawn = false;
                if voices.push(&piece?) {
                    break;
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let mut frame = Frame::new(Status::of(&voices));
    frame.is_over = true;
    let last = voices.last().map(|voice| voice.at);
    let end = voices.finish(args.judging.ending, |at, lane, view| frame.push(lane, view, Some(at) == last));
    frame.status.verdict = Some((end.word(), end.is_good()));
    screen.leave(&frame).map_err(Trouble::Write)?;
    Ok(end)
}

fn frame_of(voices: &Voices) -> Frame {
    let mut frame = Frame::new(Status::of(voices));
    let last = voices.last().map(|voice| voice.at);
    for voice in voices.all() {
        frame.push(voice.lane, voice.view, Some(voice.at) == last);
    }
    frame
}
