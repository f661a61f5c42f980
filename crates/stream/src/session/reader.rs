//! From the data of one event to what it says: whose it is, its facts, their meaning.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::extract::Extractor;
use crate::facts::Facts;
use crate::provider::{self, Dialect, Provider};
use crate::said::{LaneKind, Said, Written};
use crate::walk::{NoJson, walk};

/// What an event says that says one thing, of which the text alone moves.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    pub(super) choice: u32,
    pub(super) kind: LaneKind,
}

/// Reads the events of one provider, once it is known.
pub(super) struct Reader {
    provider: Option<Provider>,
    extractor: Option<Box<Extractor<Plan>>>,
    /// The name on the wire of the events that plans are for.
    planned: Vec<u8>,
}

impl Reader {
    /// A reader for a provider, or for whoever it turns out to be.
    pub(super) fn new(provider: Option<Provider>) -> Self {
        let mut reader = Self { provider: None, extractor: None, planned: Vec::new() };
        if let Some(provider) = provider {
            reader.begin(provider);
        }
        reader
    }

    /// Whose events these are, once it is known.
    pub(super) const fn provider(&self) -> Option<Provider> {
        self.provider
    }

    fn begin(&mut self, provider: Provider) {
        self.provider = Some(provider);
        self.extractor = Some(Box::new(Extractor::new(provider.dialect().tree)));
    }

    /// The one thing that an event says, if that is more text, as those before it did. None says nothing: the event is to be
    /// given to [`read`](Self::read).
    #[inline]
    pub(super) fn quick<'a>(&mut self, name: &[u8], data: &'a [u8]) -> Option<(Plan, Written<'a>)> {
        let extractor = self.extractor.as_mut().filter(|_| is_same(&self.planned, name))?;
        extractor.quick(data).map(|(plan, text)| (plan, Written(text)))
    }

    /// Tells what an event says.
    ///
    /// # Errors
    ///
    /// The data are no JSON; nothing was told.
    pub(super) fn read(&mut self, name: &[u8], data: &[u8], tell: &mut dyn FnMut(Said<'_>)) -> Result<(), NoJson> {
        if self.provider.is_none() {
            if let Some(provider) = provider::detect(name, data) {
                self.begin(provider);
            }
        }
        let mut facts = Facts::new();
        let (Some(provider), Some(extractor)) = (self.provider, &mut self.extractor) else {
            walk(provider::UNKNOWN.tree, data, &mut facts)?;
            (provider::UNKNOWN.read)(name, data, &facts, tell);
            return Ok(());
        };
        extractor.facts(data, &mut facts)?;
        let Dialect { read, .. } = provider.dialect();
        let (mut count, mut plan) = (0, None);
        read(name, data, &facts, &mut |said| {
            count += 1;
            plan = match said {
                Said::Text { choice, kind, .. } => Some(Plan { choice, kind }),
                _ => None,
            };
            tell(said);
        });
        // One thing was said, so the one fact that moves, if there is one, is its text.
        if let (1, Some(plan)) = (count, plan) {
            if !is_same(&self.planned, name) {
                extractor.forget_plans();
                self.planned.clear();
                self.planned.extend_from_slice(name);
            }
            extractor.plan(plan);
        }
        Ok(())
    }
}

/// Most events have no name. Two that are empty are not compared: they point to nothing, and where the memory is compared
/// with masked loads, as in glibc, that is very slow (`benches/wire.rs`: 140 ns an event).
#[inline(always)]
fn is_same(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && (one.is_empty() || one == other)
}
