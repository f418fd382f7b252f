//! Law 2. The budget holds: the passages as they are rendered have the tokens that the pack says, and never more than the budget.

use pinpack_index::Counter;
use proptest::prelude::*;

use crate::sites::{conversation, messages, site};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn rendered_tokens_are_the_packs_and_within_the_budget(
        source in site(),
        cl100k in prop::bool::weighted(0.2),
        asked in prop::collection::vec((conversation(), 0..1500u32), 6),
    ) {
        let encoding = if cl100k { "cl100k_base" } else { "o200k_base" };
        let config = source.config.replace("[budget]", &format!("[budget]\nencoding = '{encoding}'"));
        let site = crate::sites::Source { config, ..source }.build();
        let counter = Counter::new(encoding).unwrap();
        let mut packed = 0;
        for (conversation, budget) in &asked {
            for budget in [Some(*budget), Some(budget / 8), Some(budget * 8), None] {
                let Ok(pack) = site.kb.pack(&messages(conversation), budget) else { continue };
                let counted = counter.count(&site.render(&pack));
                prop_assert_eq!(counted, pack.tokens);
                prop_assert!(counted <= budget.unwrap_or(100_000));
                prop_assert_eq!(pack.budget, budget.unwrap_or(100_000));
                packed += 1;
            }
        }
        prop_assert!(packed > 0);
    }
}
