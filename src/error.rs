//! Errors of the query side.

use std::fmt;

use pinpack_index::{decimal, joined};

/// Why nothing can be packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PackError {
    /// `budget-too-small`: the budget does not hold what is sent every time.
    BudgetTooSmall {
        /// The budget that was asked for.
        budget: u32,
        /// Tokens of the pinned sections.
        pinned: u32,
    },
}

impl PackError {
    /// The stable code, the same in JavaScript.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::BudgetTooSmall { .. } => "budget-too-small",
        }
    }
}

impl PackError {
    /// What was found, what was wanted, what to do.
    #[must_use]
    pub fn message(&self) -> String {
        let Self::BudgetTooSmall { budget, pinned } = self;
        // Not by `format!`: its machinery would be a tenth of what a visitor downloads.
        let (budget, pinned) = (decimal(*budget), decimal(*pinned));
        joined(&[
            "the budget is ",
            &budget,
            " tokens, the pinned sections take ",
            &pinned,
            "\nask for at least ",
            &pinned,
        ])
    }
}

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for PackError {}
