//! What requests bring, read once: many lines in a row bring the same.

/// Bytes of the longest text that is read of a request.
pub(crate) const LONGEST: usize = 1 << 20;

/// What a flag gave, and what the line before brought.
pub(crate) struct Kept<T> {
    given: Option<T>,
    read: fn(&str) -> Result<T, String>,
    last: Option<(String, Result<T, String>)>,
}

impl<T: Clone> Kept<T> {
    /// With what a flag gave, and how a text is read.
    pub(crate) fn new(given: Option<T>, read: fn(&str) -> Result<T, String>) -> Self {
        Self { given, read, last: None }
    }

    /// What a flag gave.
    pub(crate) fn given(&self) -> Option<T> {
        self.given.clone()
    }

    /// What a line brings.
    pub(crate) fn of_line(&mut self, text: &str) -> Result<T, String> {
        if text.len() > LONGEST {
            return Err(format!("longer than {LONGEST} bytes"));
        }
        match &self.last {
            Some((last, read)) if last == text => read.clone(),
            _ => {
                let read = (self.read)(text);
                self.last = Some((text.to_owned(), read.clone()));
                read
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Result<u8, String> {
        text.trim().parse().map_err(|_| "no number".to_owned())
    }

    #[test]
    fn equal_texts_in_a_row_are_read_once() {
        let mut kept = Kept::new(Some(9), number);
        assert_eq!(kept.given(), Some(9));
        for (text, read) in [("1", Ok(1)), ("1", Ok(1)), ("x", Err("no number".to_owned())), ("1", Ok(1))] {
            assert_eq!(kept.of_line(text), read);
            assert_eq!(kept.last, Some((text.to_owned(), read)));
        }
        let long = " ".repeat(LONGEST) + "1";
        assert_eq!(kept.of_line(&long), Err("longer than 1048576 bytes".to_owned()));
        assert_eq!(kept.last.as_ref().map(|(last, _)| last.as_str()), Some("1"), "it is not kept");
    }
}
