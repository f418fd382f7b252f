//! Errors of the query side.

use std::fmt;

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

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::BudgetTooSmall { budget, pinned } = self;
        write!(f, "the budget is {budget} tokens, the pinned sections take {pinned}: ask for at least {pinned}")
    }
}

impl std::error::Error for PackError {}
