//! A sink whose type is not known: for whoever keeps sinks that others bring.

use alloc::boxed::Box;
use core::any::Any;

use crate::sink::{Event, Flow, Sink};
use crate::span::Span;

/// A [`Sink`] in a box, which listens to events and content. Every sink that can be sent and shared is one; pieces
/// ([`Sink::bytes`]) are not told to it.
///
/// `Box<dyn Listener>` is a sink itself, so that a [`Reply`](crate::Reply) takes it; each event then costs a call that cannot be inlined.
/// [`downcast_ref`](trait.Listener.html#method.downcast_ref) finds what is in it again.
///
/// ```
/// use thusfar_core::{Ending, Event, Expect, Flow, Listener, Reply, Sink, Span};
///
/// /// Counts keys, and wants no text longer than that of a message.
/// #[derive(Default)]
/// struct Short {
///     keys: usize,
///     len: usize,
/// }
///
/// impl Sink for Short {
///     const CONTENT: bool = true;
///
///     fn event(&mut self, event: Event) -> Flow {
///         match event {
///             Event::Key { .. } => self.keys += 1,
///             Event::StringOpen { .. } => self.len = 0,
///             _ => {}
///         }
///         Flow::Continue
///     }
///
///     fn content(&mut self, span: Span, text: &str) -> Flow {
///         self.len += text.len();
///         if self.len > 140 { Flow::veto("too_long", span.start) } else { Flow::Continue }
///     }
/// }
///
/// /// Knows nothing of the sink.
/// fn read(text: &str, listener: Box<dyn Listener>) -> Box<dyn Listener> {
///     let mut reply = Reply::with_sink(Expect::object(), listener);
///     let _ = reply.push(text);
///     reply.finish_into(Ending::Stop).1
/// }
///
/// let listener = read("{\"to\": \"Ada\", \"body\": \"See you.\"}", Box::new(Short::default()));
/// assert_eq!(listener.downcast_ref::<Short>().map(|short| short.keys), Some(2));
/// ```
pub trait Listener: Any + Send + Sync {
    /// [`Sink::event`].
    fn event(&mut self, event: Event) -> Flow;

    /// [`Sink::content`].
    fn content(&mut self, span: Span, text: &str) -> Flow;

    /// [`Sink::refused_with`].
    fn refused_with(&self) -> Option<usize>;
}

impl<S: Sink + Any + Send + Sync> Listener for S {
    fn event(&mut self, event: Event) -> Flow {
        Sink::event(self, event)
    }

    fn content(&mut self, span: Span, text: &str) -> Flow {
        Sink::content(self, span, text)
    }

    fn refused_with(&self) -> Option<usize> {
        Sink::refused_with(self)
    }
}

impl dyn Listener {
    /// What listens, if it is of this type.
    #[must_use]
    pub fn downcast_ref<T: Listener>(&self) -> Option<&T> {
        (self as &dyn Any).downcast_ref()
    }

    /// The same, for good. Of another type it is dropped.
    #[must_use]
    pub fn downcast<T: Listener>(self: Box<Self>) -> Option<Box<T>> {
        let any: Box<dyn Any> = self;
        any.downcast().ok()
    }
}

impl Sink for Box<dyn Listener> {
    const BYTES: bool = false;
    const CONTENT: bool = true;

    fn event(&mut self, event: Event) -> Flow {
        (**self).event(event)
    }

    fn content(&mut self, span: Span, text: &str) -> Flow {
        (**self).content(span, text)
    }

    fn refused_with(&self) -> Option<usize> {
        (**self).refused_with()
    }
}
