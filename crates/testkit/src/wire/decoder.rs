//! The decoders of the wire, one entry each. To add one: implement [`Wire`] for it, and add a row to [`ALL`].

use std::fmt;

use thusfar_stream::{Body, Eof, Error, Framing, Item, Limits, array, aws, ndjson, sse};

use super::twin::{self, Told};

/// A decoder, whichever it is.
pub trait Wire: fmt::Debug {
    /// The next item of a chunk.
    ///
    /// # Errors
    ///
    /// The decoder's.
    fn next_item<'a, 'c: 'a>(&'a mut self, chunk: &mut &'c [u8]) -> Result<Option<Item<'a>>, Error>;

    /// The end.
    ///
    /// # Errors
    ///
    /// The decoder's.
    fn finish(self: Box<Self>) -> Result<Eof, Error>;

    /// Bytes on the heap.
    fn heap_len(&self) -> usize;

    /// A clone.
    fn copy(&self) -> Box<dyn Wire>;

    /// The last event ID and the reconnection time, where they are told.
    fn told(&self) -> Option<(Vec<u8>, Option<u64>)> {
        None
    }
}

/// Implements [`Wire`] by the methods of the same names; what stands in the braces is more than that.
macro_rules! wire {
    ($decoder:ty { $($more:item)* }) => {
        impl Wire for $decoder {
            fn next_item<'a, 'c: 'a>(&'a mut self, chunk: &mut &'c [u8]) -> Result<Option<Item<'a>>, Error> {
                <$decoder>::next_item(self, chunk)
            }
            fn finish(self: Box<Self>) -> Result<Eof, Error> {
                <$decoder>::finish(*self)
            }
            fn heap_len(&self) -> usize {
                <$decoder>::heap_len(self)
            }
            fn copy(&self) -> Box<dyn Wire> {
                Box::new(self.clone())
            }
            $($more)*
        }
    };
}

wire!(sse::Decoder {
    fn told(&self) -> Option<(Vec<u8>, Option<u64>)> {
        Some((self.last_event_id().to_vec(), self.reconnection_time()))
    }
});
wire!(ndjson::Decoder {});
wire!(array::Decoder {});
wire!(aws::Decoder {});
wire!(Body {});

/// A decoder, and what is known of it.
#[derive(Clone, Copy)]
pub struct Decoder {
    /// Its name.
    pub name: &'static str,
    /// One at the beginning of a body.
    pub make: fn(Limits) -> Box<dyn Wire>,
    /// What its twin says of a body; nothing where it has no twin, or none for this body.
    pub twin: fn(&[u8], &Limits) -> Option<Told>,
}

/// All of them. The place of a row is its number in the inputs of the fuzzer: add at the end.
pub const ALL: [Decoder; 6] = [
    SSE,
    Decoder { name: "ndjson", make: |limits| Box::new(ndjson::Decoder::with_limits(limits)), twin: |_, _| None },
    Decoder { name: "array", make: |limits| Box::new(array::Decoder::with_limits(limits)), twin: |_, _| None },
    Decoder { name: "body", make: |limits| Box::new(Body::with_limits(None, limits)), twin: guessed },
    Decoder {
        name: "body of server-sent events",
        make: |limits| Box::new(Body::with_limits(Some(Framing::Sse), limits)),
        twin: SSE.twin,
    },
    Decoder { name: "aws", make: |limits| Box::new(aws::Decoder::with_limits(limits)), twin: |_, _| None },
];

/// Server-sent events.
pub const SSE: Decoder = Decoder {
    name: "sse",
    make: |limits| Box::new(sse::Decoder::with_limits(limits)),
    twin: |body, limits| Some(twin::event_stream(body, limits)),
};

/// A body whose first byte says nothing else is an event stream.
fn guessed(body: &[u8], limits: &Limits) -> Option<Told> {
    let text = body.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(body).trim_ascii_start();
    let is_other = matches!(text.first(), Some(b'[' | b'{' | 0));
    (!is_other).then(|| twin::event_stream(body, limits))
}

/// One of [`ALL`] by its name. Panics when there is none of that name.
#[must_use]
pub fn named(name: &str) -> Decoder {
    ALL.into_iter().find(|decoder| decoder.name == name).unwrap_or_else(|| panic!("no decoder of the name {name:?}"))
}
