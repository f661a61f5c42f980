//! The facts of events, one after the other: by a template that was learned from those before, else by the scanner.
//!
//! # Theory
//!
//! A template that fits gives the facts in a fraction of the time of a walk; one that does not fit is turned away at its
//! first literal. Learning one costs some walks. A stream that never repeats itself must not pay for that, so what is
//! spent is held by a budget, in hundredths of a walk: a few templates are free, then hits and walks earn what learning
//! and failing cost. A stream without any hit spends at most what its walks earn.
//!
//! Events of one skeleton may differ in their facts: in the number of a choice, in what type they are. As long as there
//! is room each of them has a template of its own, in which these facts are literal, so that it can have a plan. A third
//! takes the place of an older one if they change seldom, as the number of a tool call does; else it makes holes of them.

use alloc::vec::Vec;

use smallvec::SmallVec;

use crate::facts::Facts;
use crate::template::{LONGEST, Likeness, Seen, Template};
use crate::walk::{NoJson, Paths, walk, walk_and_see};

/// How many templates are kept, and how many of one skeleton.
const MOST_TEMPLATES: usize = 4;
const MOST_ALIKE: usize = 2;
/// After so many hits, what a template holds for literal changes seldom.
const STEADY: u32 = 8;

// In hundredths of a walk: what may be spent at first and at most on learning and on trying templates, what a hit and a
// walk add to each of the two, and what it costs to learn, and to be turned away by one template. The costs are high
// ones of those that `cost.rs` tells.
const MOST_TO_LEARN: u32 = 2_000;
const MOST_TO_TRY: u32 = 1_000;
const HIT: u32 = 40;
const WALK: u32 = 2;
const LEARN: u32 = 220;
const TRY: u32 = 16;

/// A template and how useful it has been.
struct Learned<P> {
    template: Template<P>,
    /// Its hits, of which half are forgotten whenever a template has to make room.
    score: u32,
    /// When it was last of use: the number of the event.
    used: u64,
}

/// Takes the facts out of the events of one stream. `P` is what the owner does with the text of an event whose other
/// facts it knows.
pub(crate) struct Extractor<P> {
    paths: &'static Paths,
    learned: Vec<Learned<P>>,
    /// The template that is tried first.
    latest: usize,
    /// The template of the last facts.
    current: Option<usize>,
    /// No template with a plan fits the event that is asked about next.
    is_refused: bool,
    /// What may be spent on learning, and on trying.
    to_learn: u32,
    to_try: u32,
    hits: u64,
    walks: u64,
    /// Room that is used again and again: the ends of holes, the scalars of an event.
    ends: Vec<usize>,
    seen: Seen,
}

impl<P: Copy> Extractor<P> {
    pub(crate) fn new(paths: &'static Paths) -> Self {
        Self {
            paths,
            learned: Vec::new(),
            latest: 0,
            current: None,
            is_refused: false,
            to_learn: MOST_TO_LEARN,
            to_try: MOST_TO_TRY,
            hits: 0,
            walks: 0,
            ends: Vec::new(),
            seen: Seen::default(),
        }
    }

    /// Puts the facts of an event into `facts`, which is emptied first: those that [`walk`] gives, byte for byte.
    ///
    /// # Errors
    ///
    /// Those of [`walk`]. Nothing is learned from such an event.
    pub(crate) fn facts<'a>(&mut self, data: &'a [u8], facts: &mut Facts<'a>) -> Result<(), NoJson> {
        let is_refused = core::mem::take(&mut self.is_refused);
        self.current = None;
        if self.to_try >= self.cost_of_trying() {
            facts.clear();
            self.current = self.find(data, is_refused, facts);
            if self.current.is_some() {
                return Ok(());
            }
            self.to_try -= self.cost_of_trying();
        }
        self.walks += 1;
        self.earn(WALK);
        if self.to_learn < LEARN || data.len() > LONGEST {
            return walk(self.paths, data, facts);
        }
        self.walk_and_learn(data, facts)
    }

    #[inline(never)]
    fn walk_and_learn<'a>(&mut self, data: &'a [u8], facts: &mut Facts<'a>) -> Result<(), NoJson> {
        // Broken events pay too: a stream of nothing else is walked plainly soon.
        self.to_learn -= LEARN;
        self.seen.clear();
        walk_and_see(self.paths, data, facts, &mut self.seen)?;
        self.current = self.learn(data, facts);
        Ok(())
    }

    /// The plan of the template that an event fits, and the raw text of its one fact that moves. None says nothing: the
    /// event is to be given to [`facts`](Self::facts).
    #[inline]
    pub(crate) fn quick<'a>(&mut self, data: &'a [u8]) -> Option<(P, &'a [u8])> {
        if self.to_try < self.cost_of_trying() {
            return None;
        }
        let latest = self.learned.get(self.latest)?;
        if let Some(found) = latest.template.quick(data) {
            self.hit(self.latest, 0);
            return Some(found);
        }
        self.quick_by_others(data)
    }

    #[inline(never)]
    fn quick_by_others<'a>(&mut self, data: &'a [u8]) -> Option<(P, &'a [u8])> {
        let others = self.learned.iter().enumerate().filter(|(index, _)| *index != self.latest);
        for (turned_away, (index, learned)) in (1..).zip(others) {
            if let Some(found) = learned.template.quick(data) {
                self.hit(index, turned_away);
                return Some(found);
            }
        }
        self.is_refused = true;
        None
    }

    /// Attaches a plan to the template that the last call of [`facts`](Self::facts) hit or learned, and says whether: only
    /// one fact of it may move, and it is a string. An event that fits it has the same other facts, byte for byte.
    pub(crate) fn plan(&mut self, plan: P) -> bool {
        let current = self.current.and_then(|index| self.learned.get_mut(index));
        current.is_some_and(|learned| learned.template.attach(plan))
    }

    /// No template has a plan any more.
    pub(crate) fn forget_plans(&mut self) {
        self.learned.iter_mut().for_each(|learned| learned.template.forget_plan());
    }

    /// How many events fitted a template.
    #[cfg(test)]
    pub(crate) fn hits(&self) -> u64 {
        self.hits
    }

    /// How many events were walked, broken ones among them.
    #[cfg(test)]
    pub(crate) fn walks(&self) -> u64 {
        self.walks
    }

    /// Bytes that are held on the heap now, spare room among them. At most a few times 100 KiB, when all templates are of
    /// long events with many values; usually a few KiB.
    #[cfg(test)]
    pub(crate) fn heap_len(&self) -> usize {
        let templates = self.learned.iter().map(|learned| learned.template.heap_len()).sum::<usize>();
        let rooms = self.learned.capacity() * size_of::<Learned<P>>() + self.ends.capacity() * size_of::<usize>();
        templates + rooms + self.seen.heap_len()
    }

    /// Notes that a template fitted, behind others that turned the event away.
    #[inline(always)]
    fn hit(&mut self, index: usize, turned_away: u32) {
        self.hits += 1;
        self.earn(HIT);
        self.to_try = self.to_try.saturating_sub(turned_away * TRY);
        self.latest = index;
        let learned = &mut self.learned[index];
        learned.score = learned.score.saturating_add(1);
        learned.used = self.hits + self.walks;
    }

    #[inline(always)]
    fn earn(&mut self, share: u32) {
        self.to_learn = MOST_TO_LEARN.min(self.to_learn + share);
        self.to_try = MOST_TO_TRY.min(self.to_try + share);
    }

    fn cost_of_trying(&self) -> u32 {
        TRY * self.learned.len() as u32
    }

    /// The template that an event fits, and its facts. `is_refused` says that none with a plan does.
    fn find<'a>(&mut self, data: &'a [u8], is_refused: bool, facts: &mut Facts<'a>) -> Option<usize> {
        let others = (0..self.learned.len()).filter(|index| *index != self.latest);
        let mut turned_away = 0;
        for index in [self.latest].into_iter().chain(others) {
            let Some(Learned { template, .. }) = self.learned.get(index) else { continue };
            let may_fit = !(is_refused && template.has_plan());
            if may_fit && template.facts(data, &mut self.ends, facts) {
                self.hit(index, turned_away);
                return Some(index);
            }
            turned_away += 1;
        }
        None
    }

    /// Makes a template that an event fits, or widens one; gives its index.
    fn learn(&mut self, data: &[u8], facts: &Facts<'_>) -> Option<usize> {
        if !self.seen.settle(data, facts) {
            return None;
        }
        let compared = self.learned.iter().enumerate().map(|(index, learned)| {
            let likeness = learned.template.likeness(data, &self.seen);
            (index, likeness, learned.used, learned.score)
        });
        let alike: SmallVec<[_; MOST_TEMPLATES]> =
            compared.filter(|(_, likeness, ..)| *likeness != Likeness::None).collect();
        let nearest = alike.iter().max_by_key(|(_, likeness, used, _)| (*likeness == Likeness::SameFacts, *used));
        let Some(&(nearest, likeness, _, score)) = nearest else { return self.add(data, facts) };
        let is_full = alike.len() == MOST_ALIKE;
        if likeness == Likeness::SameFacts || (is_full && score < STEADY) {
            return self.widen(nearest, data);
        }
        self.learned[nearest].template.lend(&mut self.seen);
        if is_full {
            let oldest = alike.iter().min_by_key(|(_, _, used, _)| *used);
            self.remove(oldest.map(|(index, ..)| *index)?);
        }
        self.add(data, facts)
    }

    /// Makes holes of what differs.
    fn widen(&mut self, index: usize, data: &[u8]) -> Option<usize> {
        if self.learned[index].template.widen(data, &self.seen) {
            return self.prepare(index);
        }
        self.remove(index);
        None
    }

    /// Adds a template; the least useful one makes room.
    fn add(&mut self, data: &[u8], facts: &Facts<'_>) -> Option<usize> {
        let template = Template::new(data, &self.seen, facts)?;
        if self.learned.len() == MOST_TEMPLATES {
            let least = self.learned.iter().enumerate().min_by_key(|(_, learned)| (learned.score, learned.used));
            self.remove(least.map(|(index, _)| index)?);
        }
        self.learned.push(Learned { template, score: 0, used: 0 });
        self.prepare(self.learned.len() - 1)
    }

    /// Removes a template. All others lose half of their score.
    fn remove(&mut self, index: usize) {
        self.learned.swap_remove(index);
        self.learned.iter_mut().for_each(|learned| learned.score /= 2);
        self.latest = 0;
    }

    /// Tries a template first from now on, and makes room for the ends of its holes.
    fn prepare(&mut self, index: usize) -> Option<usize> {
        let learned = &mut self.learned[index];
        learned.used = self.hits + self.walks;
        let hole_count = learned.template.hole_count();
        self.ends.clear();
        self.ends.reserve(hole_count);
        self.latest = index;
        Some(index)
    }
}

#[cfg(test)]
mod corpus;
#[cfg(test)]
mod cost;
#[cfg(test)]
mod oracle;
#[cfg(test)]
mod tests;
