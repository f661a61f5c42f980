//! The words of prose that say something about a value: that it is not meant, or not yet, or no longer.

/// What a word may do. A word may do several things.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Class(u64);

impl Class {
    /// Turns a value behind it into its opposite.
    pub(super) const NEGATES: Class = Class(1);
    /// A value behind it in the same clause need not be meant.
    pub(super) const DOUBTS: Class = Class(1 << 1);
    /// A value in front of it in the same sentence need not be meant.
    pub(super) const LIMITS: Class = Class(1 << 2);
    /// Takes back what was said.
    pub(super) const CORRECTS: Class = Class(1 << 3);
    /// A number directly behind it is only near, or a bound.
    pub(super) const ROUNDS: Class = Class(1 << 4);
    /// May stand between a negation and what it negates.
    pub(super) const CARRIES: Class = Class(1 << 5);
    /// May stand in front of a label.
    pub(super) const LEADS: Class = Class(1 << 6);
    /// Stands between a label and a value.
    pub(super) const IS: Class = Class(1 << 7);
    /// The same of what was once.
    pub(super) const WAS: Class = Class(1 << 8);
    pub(super) const OF: Class = Class(1 << 9);
    pub(super) const OUT: Class = Class(1 << 10);
    pub(super) const PERCENT: Class = Class(1 << 11);
    /// What a score counts.
    pub(super) const POINTS: Class = Class(1 << 12);
    /// Between the ends of a range.
    pub(super) const RANGES: Class = Class(1 << 13);
    /// Directly behind a value: it is only thought of.
    pub(super) const SUPPOSES: Class = Class(1 << 14);
    /// Behind a comma: a new clause.
    pub(super) const BUT: Class = Class(1 << 15);
    /// The same, where a subject follows.
    pub(super) const SO: Class = Class(1 << 16);
    pub(super) const SUBJECT: Class = Class(1 << 17);
    /// What follows explains.
    pub(super) const EXPLAINS: Class = Class(1 << 18);
    /// With `of`, what follows is not meant.
    pub(super) const INSTEAD: Class = Class(1 << 19);
    /// Behind `or` or `and`, a number is a bound.
    pub(super) const MORE: Class = Class(1 << 20);
    /// In front of a condition.
    pub(super) const ONLY: Class = Class(1 << 21);
    /// A condition, directly behind a value or behind `only`.
    pub(super) const AFTER: Class = Class(1 << 22);
    /// With `to`, what follows is in doubt.
    pub(super) const FAILS: Class = Class(1 << 23);
    /// What anybody but the speaker would do is in doubt.
    pub(super) const WOULD: Class = Class(1 << 24);
    /// It takes back what was said for the rest of the reply.
    pub(super) const RETRACTS: Class = Class(1 << 26);
    /// With a colon: what follows is the last word.
    pub(super) const CONCLUDES: Class = Class(1 << 27);
    /// What follows is shown, not said: an example, a format.
    pub(super) const SHOWS: Class = Class(1 << 28);
    /// Between two `as`.
    pub(super) const LONG: Class = Class(1 << 29);
    pub(super) const AS: Class = Class(1 << 30);
    /// The speaker.
    pub(super) const SPEAKER: Class = Class(1 << 31);
    /// At the beginning of a sentence, a condition.
    pub(super) const WHEN: Class = Class(1 << 32);
    /// Takes back what was said, but says nothing of numbers.
    pub(super) const TURNS: Class = Class(1 << 33);
    /// Begins a clause that another one follows.
    pub(super) const GIVES: Class = Class(1 << 34);
    /// Behind `and a`, of a number.
    pub(super) const HALF: Class = Class(1 << 35);
    /// Behind a negation, what was said is in doubt.
    pub(super) const SURE: Class = Class(1 << 36);
    /// Between a number and another one that says what it means.
    pub(super) const PAIRS: Class = Class(1 << 37);
    /// In parentheses, what a number could be at most.
    pub(super) const MAXIMUM: Class = Class(1 << 38);
    /// Behind `my`, something is taken back.
    pub(super) const MIND: Class = Class(1 << 39);
    /// Behind `was`: what was to be, and is not.
    pub(super) const GOING: Class = Class(1 << 25);

    /// Directly behind a number: it does not count what the word names.
    pub(super) const JOINS: Class = Class::EXPLAINS
        .and(Class::SO)
        .and(Class::BUT)
        .and(Class::LEADS)
        .and(Class::CARRIES)
        .and(Class::RANGES)
        .and(Class::OF)
        .and(Class::OUT)
        .and(Class::POINTS)
        .and(Class::PERCENT)
        .and(Class::AS);

    pub(super) const fn has(self, other: Class) -> bool {
        self.0 & other.0 != 0
    }

    const fn and(self, other: Class) -> Class {
        Class(self.0 | other.0)
    }
}

/// The words, each in the case in which words are compared.
pub(super) const WORDS: &[(&str, Class)] = &[
    ("not", Class::NEGATES),
    ("never", Class::NEGATES),
    ("cannot", Class::NEGATES),
    ("neither", Class::NEGATES),
    ("nor", Class::NEGATES),
    ("no", Class::NEGATES.and(Class::CORRECTS)),
    ("without", Class::NEGATES),
    ("none", Class::DOUBTS.and(Class::SUPPOSES)),
    ("nobody", Class::DOUBTS),
    ("nothing", Class::DOUBTS.and(Class::SUPPOSES)),
    ("hardly", Class::DOUBTS),
    ("barely", Class::DOUBTS),
    ("scarcely", Class::DOUBTS),
    ("seldom", Class::DOUBTS),
    ("rarely", Class::DOUBTS),
    ("anything", Class::DOUBTS),
    ("whether", Class::DOUBTS),
    ("avoid", Class::DOUBTS),
    ("against", Class::DOUBTS),
    ("refuse", Class::DOUBTS),
    ("refused", Class::DOUBTS),
    ("refuses", Class::DOUBTS),
    ("refusing", Class::DOUBTS),
    ("decline", Class::DOUBTS),
    ("declined", Class::DOUBTS),
    ("unable", Class::DOUBTS),
    ("hesitate", Class::DOUBTS),
    ("hesitant", Class::DOUBTS),
    ("reluctant", Class::DOUBTS),
    ("unwilling", Class::DOUBTS),
    ("unlikely", Class::DOUBTS),
    ("impossible", Class::DOUBTS),
    ("far", Class::DOUBTS),
    ("too", Class::DOUBTS),
    ("lest", Class::DOUBTS),
    ("initially", Class::DOUBTS),
    ("originally", Class::DOUBTS),
    ("previously", Class::DOUBTS),
    ("instinct", Class::DOUBTS),
    ("tempted", Class::DOUBTS),
    ("inclined", Class::DOUBTS),
    ("considered", Class::DOUBTS),
    ("considering", Class::DOUBTS),
    ("normally", Class::DOUBTS),
    ("usually", Class::DOUBTS),
    ("could", Class::DOUBTS.and(Class::SUPPOSES)),
    ("might", Class::DOUBTS.and(Class::SUPPOSES)),
    ("would", Class::CARRIES.and(Class::SUPPOSES).and(Class::WOULD)),
    ("wish", Class::DOUBTS),
    ("example", Class::DOUBTS.and(Class::SHOWS)),
    ("e.g", Class::DOUBTS.and(Class::SHOWS)),
    ("instead", Class::CORRECTS.and(Class::INSTEAD)),
    ("rather", Class::CORRECTS),
    ("than", Class::NEGATES.and(Class::ROUNDS)),
    ("almost", Class::DOUBTS.and(Class::ROUNDS)),
    ("nearly", Class::DOUBTS.and(Class::ROUNDS)),
    ("if", Class::DOUBTS.and(Class::LIMITS)),
    ("unless", Class::DOUBTS.and(Class::LIMITS)),
    ("until", Class::DOUBTS.and(Class::LIMITS)),
    ("once", Class::DOUBTS.and(Class::LIMITS)),
    ("provided", Class::DOUBTS.and(Class::LIMITS)),
    ("assuming", Class::DOUBTS.and(Class::LIMITS)),
    ("otherwise", Class::DOUBTS.and(Class::LIMITS)),
    ("except", Class::DOUBTS.and(Class::LIMITS)),
    ("actually", Class::CORRECTS),
    ("wait", Class::CORRECTS.and(Class::RETRACTS)),
    ("hmm", Class::CORRECTS.and(Class::RETRACTS)),
    ("correction", Class::CORRECTS.and(Class::RETRACTS)),
    ("sorry", Class::CORRECTS.and(Class::RETRACTS)),
    ("oops", Class::CORRECTS.and(Class::RETRACTS)),
    ("scratch", Class::CORRECTS.and(Class::RETRACTS)),
    ("mean", Class::CORRECTS),
    ("meant", Class::CORRECTS),
    ("revise", Class::CORRECTS),
    ("revised", Class::CORRECTS),
    ("reconsider", Class::CORRECTS.and(Class::RETRACTS)),
    ("reconsidered", Class::CORRECTS.and(Class::RETRACTS)),
    ("reconsidering", Class::CORRECTS.and(Class::RETRACTS)),
    ("reflection", Class::CORRECTS),
    ("least", Class::ROUNDS),
    ("most", Class::ROUNDS),
    ("over", Class::ROUNDS.and(Class::PAIRS)),
    ("under", Class::ROUNDS),
    ("above", Class::ROUNDS.and(Class::MORE)),
    ("below", Class::ROUNDS.and(Class::MORE)),
    ("about", Class::ROUNDS),
    ("around", Class::ROUNDS),
    ("roughly", Class::ROUNDS),
    ("approximately", Class::ROUNDS),
    ("between", Class::ROUNDS),
    ("beyond", Class::ROUNDS),
    ("be", Class::CARRIES),
    ("to", Class::CARRIES.and(Class::RANGES)),
    ("or", Class::RANGES),
    ("a", Class::CARRIES),
    ("an", Class::CARRIES),
    ("the", Class::CARRIES.and(Class::LEADS).and(Class::SUBJECT)),
    ("yet", Class::CARRIES),
    ("currently", Class::CARRIES),
    ("really", Class::CARRIES),
    ("fully", Class::CARRIES),
    ("going", Class::CARRIES.and(Class::GOING)),
    ("ready", Class::CARRIES),
    ("able", Class::CARRIES),
    ("want", Class::CARRIES),
    ("recommend", Class::CARRIES),
    ("will", Class::CARRIES),
    ("my", Class::LEADS.and(Class::SUBJECT)),
    ("our", Class::LEADS),
    ("final", Class::LEADS.and(Class::CONCLUDES)),
    ("overall", Class::LEADS),
    ("is", Class::IS),
    ("was", Class::WAS),
    ("were", Class::WAS),
    ("of", Class::OF),
    ("out", Class::OUT),
    ("percent", Class::PERCENT),
    ("points", Class::POINTS),
    ("point", Class::POINTS),
    ("pts", Class::POINTS),
    ("marks", Class::POINTS),
    ("stars", Class::POINTS),
    ("but", Class::BUT),
    ("therefore", Class::BUT),
    ("hence", Class::BUT),
    ("thus", Class::BUT),
    ("so", Class::SO),
    ("and", Class::SO),
    ("dont", Class::NEGATES),
    ("wont", Class::NEGATES),
    ("cant", Class::NEGATES),
    ("isnt", Class::NEGATES),
    ("doesnt", Class::NEGATES),
    ("didnt", Class::NEGATES),
    ("shouldnt", Class::NEGATES),
    ("wouldnt", Class::NEGATES),
    ("couldnt", Class::NEGATES),
    ("wasnt", Class::NEGATES),
    ("arent", Class::NEGATES),
    ("aint", Class::NEGATES),
    ("intended", Class::DOUBTS),
    ("planned", Class::DOUBTS),
    ("leaning", Class::DOUBTS),
    ("leaned", Class::DOUBTS),
    ("perhaps", Class::DOUBTS.and(Class::CORRECTS).and(Class::LIMITS)),
    ("maybe", Class::DOUBTS.and(Class::CORRECTS).and(Class::LIMITS)),
    ("possibly", Class::DOUBTS.and(Class::CORRECTS).and(Class::LIMITS)),
    ("mistake", Class::DOUBTS),
    ("unwise", Class::DOUBTS),
    ("initial", Class::DOUBTS),
    ("draft", Class::DOUBTS),
    ("preliminary", Class::DOUBTS),
    ("tentative", Class::DOUBTS),
    ("previous", Class::DOUBTS),
    ("earlier", Class::DOUBTS),
    ("prior", Class::DOUBTS),
    ("original", Class::DOUBTS),
    ("provisional", Class::DOUBTS),
    ("proposed", Class::DOUBTS),
    ("first", Class::DOUBTS),
    ("condition", Class::DOUBTS.and(Class::LIMITS)),
    ("conditions", Class::DOUBTS.and(Class::LIMITS)),
    ("conditional", Class::DOUBTS.and(Class::LIMITS)),
    ("conditionally", Class::DOUBTS.and(Class::LIMITS)),
    ("contingent", Class::DOUBTS.and(Class::LIMITS)),
    ("means", Class::SUPPOSES),
    ("indicates", Class::SUPPOSES),
    ("represents", Class::SUPPOSES),
    ("requires", Class::SUPPOSES),
    ("needs", Class::SUPPOSES),
    ("equals", Class::SUPPOSES),
    ("denotes", Class::SUPPOSES),
    ("half", Class::HALF),
    ("maximum", Class::DOUBTS.and(Class::MAXIMUM)),
    ("max", Class::DOUBTS.and(Class::MAXIMUM)),
    ("minimum", Class::DOUBTS),
    ("min", Class::DOUBTS),
    ("highest", Class::DOUBTS),
    ("lowest", Class::DOUBTS),
    ("passing", Class::DOUBTS),
    ("average", Class::DOUBTS),
    ("more", Class::MORE),
    ("higher", Class::MORE),
    ("less", Class::MORE),
    ("fewer", Class::MORE),
    ("lower", Class::MORE),
    ("better", Class::MORE),
    ("only", Class::ONLY),
    ("after", Class::AFTER),
    ("when", Class::AFTER.and(Class::WHEN)),
    ("pending", Class::LIMITS),
    ("fail", Class::FAILS),
    ("fails", Class::FAILS),
    ("failed", Class::FAILS),
    ("version", Class::ROUNDS),
    ("step", Class::ROUNDS),
    ("line", Class::ROUNDS),
    ("page", Class::ROUNDS),
    ("section", Class::ROUNDS),
    ("chapter", Class::ROUNDS),
    ("item", Class::ROUNDS),
    ("figure", Class::ROUNDS),
    ("rule", Class::ROUNDS),
    ("retract", Class::CORRECTS),
    ("back", Class::CORRECTS),
    ("nope", Class::CORRECTS.and(Class::RETRACTS)),
    ("disregard", Class::CORRECTS.and(Class::RETRACTS)),
    ("mind", Class::MIND),
    ("vs", Class::CORRECTS.and(Class::PAIRS)),
    ("versus", Class::CORRECTS.and(Class::PAIRS)),
    ("however", Class::TURNS),
    ("thought", Class::TURNS),
    ("thoughts", Class::TURNS),
    ("answer", Class::CONCLUDES),
    ("update", Class::CONCLUDES),
    ("edit", Class::CONCLUDES),
    ("conclusion", Class::CONCLUDES),
    ("decision", Class::CONCLUDES),
    ("template", Class::SHOWS),
    ("rubric", Class::SHOWS),
    ("long", Class::LONG),
    ("soon", Class::LONG),
    ("subject", Class::LIMITS),
    ("hard", Class::DOUBTS),
    ("difficult", Class::DOUBTS),
    ("although", Class::GIVES),
    ("though", Class::GIVES),
    ("while", Class::GIVES),
    ("even", Class::GIVES),
    ("given", Class::GIVES),
    ("probably", Class::DOUBTS.and(Class::LIMITS)),
    ("tentatively", Class::DOUBTS.and(Class::LIMITS)),
    ("unsure", Class::DOUBTS.and(Class::LIMITS)),
    ("sure", Class::SURE),
    ("certain", Class::SURE),
    ("from", Class::PAIRS),
    ("on", Class::PAIRS),
    ("minus", Class::PAIRS),
    ("plus", Class::PAIRS),
    ("through", Class::PAIRS),
    ("bis", Class::PAIRS),
    ("i.e", Class::DOUBTS.and(Class::SHOWS)),
    ("options", Class::SHOWS),
    ("choices", Class::SHOWS),
    ("allowed", Class::SHOWS),
    ("because", Class::EXPLAINS.and(Class::GIVES)),
    ("since", Class::EXPLAINS.and(Class::GIVES)),
    ("as", Class::AS),
    ("false", Class::SUPPOSES),
    ("wrong", Class::SUPPOSES.and(Class::DOUBTS)),
    ("premature", Class::SUPPOSES),
    ("denied", Class::SUPPOSES),
    ("others", Class::DOUBTS),
    ("someone", Class::DOUBTS),
    ("anyone", Class::DOUBTS),
    ("asks", Class::DOUBTS),
    ("asked", Class::DOUBTS),
    ("asking", Class::DOUBTS),
    ("wants", Class::DOUBTS),
    ("wanted", Class::DOUBTS),
    ("claims", Class::DOUBTS),
    ("claimed", Class::DOUBTS),
    ("says", Class::DOUBTS),
    ("said", Class::DOUBTS),
    ("tells", Class::DOUBTS),
    ("told", Class::DOUBTS),
    ("instructs", Class::DOUBTS),
    ("instructed", Class::DOUBTS),
    ("suggests", Class::DOUBTS),
    ("suggested", Class::DOUBTS),
    ("demands", Class::DOUBTS),
    ("argues", Class::DOUBTS),
    ("argued", Class::DOUBTS),
    ("urges", Class::DOUBTS),
    ("expects", Class::DOUBTS),
    ("expected", Class::DOUBTS),
    ("hoped", Class::DOUBTS),
    ("hopes", Class::DOUBTS),
    // Negations of other languages: what they reach is not known.
    ("nicht", Class::DOUBTS),
    ("nie", Class::DOUBTS),
    ("niemals", Class::DOUBTS),
    ("kein", Class::DOUBTS),
    ("keine", Class::DOUBTS),
    ("keinen", Class::DOUBTS),
    ("keinesfalls", Class::DOUBTS),
    ("pas", Class::DOUBTS),
    ("jamais", Class::DOUBTS),
    ("aucun", Class::DOUBTS),
    ("nunca", Class::DOUBTS),
    ("jam\u{E1}s", Class::DOUBTS),
    ("n\u{E3}o", Class::DOUBTS),
    ("non", Class::DOUBTS),
    ("mai", Class::DOUBTS),
    ("niet", Class::DOUBTS),
    ("geen", Class::DOUBTS),
    ("nooit", Class::DOUBTS),
    ("ikke", Class::DOUBTS),
    ("inte", Class::DOUBTS),
    ("aldrig", Class::DOUBTS),
    ("nem", Class::DOUBTS),
    ("\u{43D}\u{435}", Class::DOUBTS),
    ("\u{43D}\u{435}\u{442}", Class::DOUBTS),
    ("\u{43D}\u{438}\u{43A}\u{43E}\u{433}\u{434}\u{430}", Class::DOUBTS),
    ("i", Class::SUBJECT.and(Class::SPEAKER)),
    ("i'd", Class::SUBJECT.and(Class::SPEAKER)),
    ("i'll", Class::SUBJECT.and(Class::SPEAKER)),
    ("we", Class::SUBJECT.and(Class::SPEAKER)),
    ("it", Class::SUBJECT),
    ("this", Class::SUBJECT),
];

/// Words that prose is made of: as values they count in plain text only where they stand alone.
const COMMON: &[&str] = &[
    "a", "all", "am", "an", "any", "as", "at", "be", "by", "do", "go", "he", "i", "if", "in", "is", "it", "me", "my",
    "no", "none", "not", "of", "off", "on", "one", "or", "other", "out", "so", "to", "up", "us", "we", "yes",
];

/// Whether a value is a word that prose is made of, or a single character.
pub(super) fn is_common(word: &str) -> bool {
    word.chars().nth(1).is_none() || is_common_word(word)
}

/// Whether a value is a word that prose is made of.
pub(super) fn is_common_word(word: &str) -> bool {
    COMMON.contains(&word)
}

/// What a word may do that is in no list: `doesn't` and its like negate.
pub(super) fn class_of_unknown(word: &str) -> Class {
    if word.ends_with("n't") { Class::NEGATES } else { Class::default() }
}
