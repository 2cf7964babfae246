//! Shares of a total.

use std::ops::AddAssign;

use serde::{Serialize, Serializer};

/// A part of a total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// The size of the part.
    pub count: usize,
    /// The size of the total.
    pub of: usize,
}

impl Share {
    pub(super) fn add(&mut self, holds: bool) {
        self.of += 1;
        self.count += usize::from(holds);
    }

    /// In percent, rounded down so that 100 means all; `None` if the total is 0.
    fn percent(self) -> Option<usize> {
        (self.count * 100).checked_div(self.of)
    }

    /// `3/4  75 %`, or a dash if there is nothing to count.
    pub fn text(self) -> String {
        match self.percent() {
            Some(percent) => format!("{}/{} {percent:3} %", self.count, self.of),
            None => "-".to_owned(),
        }
    }
}

impl AddAssign for Share {
    fn add_assign(&mut self, other: Self) {
        self.count += other.count;
        self.of += other.of;
    }
}

impl Serialize for Share {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fraction {
            count: usize,
            of: usize,
            percent: Option<usize>,
        }
        Fraction { count: self.count, of: self.of, percent: self.percent() }.serialize(serializer)
    }
}
