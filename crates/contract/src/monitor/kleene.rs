//! What is known of a value and a subschema: three-valued while the value is open, and what the validator alone knows when it has closed.

/// What is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// The value may still become valid, or not.
    Pending,
    /// It is valid, whatever follows.
    Valid,
    /// It is not valid, whatever follows.
    Dead,
    /// It has closed, and nobody but the validator knows.
    Unknown,
}

impl Status {
    pub(super) const fn of(is_valid: Option<bool>) -> Self {
        match is_valid {
            Some(true) => Status::Valid,
            Some(false) => Status::Dead,
            None => Status::Unknown,
        }
    }

    pub(super) const fn is_decided(self) -> bool {
        matches!(self, Status::Valid | Status::Dead)
    }

    pub(super) const fn and(self, other: Self) -> Self {
        match (self, other) {
            (Status::Dead, _) | (_, Status::Dead) => Status::Dead,
            (Status::Pending, _) | (_, Status::Pending) => Status::Pending,
            (Status::Unknown, _) | (_, Status::Unknown) => Status::Unknown,
            _ => Status::Valid,
        }
    }

    pub(super) const fn or(self, other: Self) -> Self {
        match (self, other) {
            (Status::Valid, _) | (_, Status::Valid) => Status::Valid,
            (Status::Pending, _) | (_, Status::Pending) => Status::Pending,
            (Status::Unknown, _) | (_, Status::Unknown) => Status::Unknown,
            _ => Status::Dead,
        }
    }

    pub(super) const fn not(self) -> Self {
        match self {
            Status::Valid => Status::Dead,
            Status::Dead => Status::Valid,
            other => other,
        }
    }

    /// `if`, `then`, `else`: what the condition comes to.
    pub(super) fn choose(self, then: Self, otherwise: Self) -> Self {
        match self {
            Status::Valid => then,
            Status::Dead => otherwise,
            _ if then == otherwise && then.is_decided() => then,
            Status::Pending => Status::Pending,
            Status::Unknown => match (then, otherwise) {
                (Status::Pending, _) | (_, Status::Pending) => Status::Pending,
                _ => Status::Unknown,
            },
        }
    }

    /// Exactly one of several.
    pub(super) fn exactly_one(several: impl Iterator<Item = Self>) -> Self {
        let (mut valid, mut pending, mut unknown) = (0, false, false);
        for status in several {
            match status {
                Status::Valid => valid += 1,
                Status::Pending => pending = true,
                Status::Unknown => unknown = true,
                Status::Dead => {}
            }
        }
        match (valid, pending, unknown) {
            (2.., _, _) => Status::Dead,
            (_, true, _) => Status::Pending,
            (_, false, true) => Status::Unknown,
            (1, false, false) => Status::Valid,
            _ => Status::Dead,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Status::{self, Dead, Pending, Unknown, Valid};

    const ALL: [Status; 4] = [Pending, Valid, Dead, Unknown];

    /// What a status may still turn out to be.
    fn may_be(status: Status) -> &'static [bool] {
        match status {
            Valid => &[true],
            Dead => &[false],
            Pending | Unknown => &[true, false],
        }
    }

    /// A decided answer is the one that every way to turn out gives.
    fn holds(answer: Status, turned_out: impl Iterator<Item = bool>) {
        let turned_out: Vec<_> = turned_out.collect();
        match answer {
            Valid => assert!(turned_out.iter().all(|it| *it), "{turned_out:?}"),
            Dead => assert!(turned_out.iter().all(|it| !*it), "{turned_out:?}"),
            _ => assert!(turned_out.contains(&true) && turned_out.contains(&false), "{answer:?} {turned_out:?}"),
        }
    }

    #[test]
    fn what_is_decided_is_so_whatever_the_rest_turns_out_to_be() {
        for one in ALL {
            holds(one.not(), may_be(one).iter().map(|one| !one));
            for other in ALL {
                let pairs = || may_be(one).iter().flat_map(|&one| may_be(other).iter().map(move |&other| (one, other)));
                holds(one.and(other), pairs().map(|(one, other)| one && other));
                holds(one.or(other), pairs().map(|(one, other)| one || other));
                for third in ALL {
                    let triples =
                        || pairs().flat_map(|(one, other)| may_be(third).iter().map(move |&third| [one, other, third]));
                    let exactly = Status::exactly_one([one, other, third].into_iter());
                    holds(exactly, triples().map(|three| three.iter().filter(|it| **it).count() == 1));
                    holds(
                        one.choose(other, third),
                        triples().map(|[one, other, third]| if one { other } else { third }),
                    );
                }
            }
        }
    }
}
