//! Law 1. Pinned is pinned: every pinned section, whole, first, in file order, or the error that says that it does not fit.

use pinpack::{PackError, Why};
use proptest::prelude::*;

use crate::kit::{Site, try_build};
use crate::sites::{conversation, messages, site};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_question_and_no_budget_removes_a_pinned_section(
        source in site(),
        asked in prop::collection::vec((conversation(), 0..3000u32), 8),
    ) {
        let site = source.build();
        let pinned: u32 = site.pinned.iter().map(|id| site.kb.blob().tokens(*id)).sum();
        for (conversation, budget) in &asked {
            for budget in [Some(*budget), Some(pinned), pinned.checked_sub(1), None] {
                let packed = site.kb.pack(&messages(conversation), budget);
                let budget = budget.unwrap_or(100_000);
                if budget < pinned {
                    prop_assert_eq!(packed.unwrap_err(), PackError::BudgetTooSmall { budget, pinned });
                    continue;
                }
                let pack = packed.unwrap();
                let (first, rest) = pack.sections.split_at(site.pinned.len());
                prop_assert_eq!(first.iter().map(|entry| entry.id).collect::<Vec<_>>(), site.pinned.clone());
                prop_assert!(first.iter().all(|entry| entry.why == Why::Pinned && entry.score == 0.0));
                prop_assert!(rest.iter().all(|entry| entry.why != Why::Pinned && !site.pinned.contains(&entry.id)));
            }
        }
    }

    #[test]
    fn a_pinned_text_is_never_cut_and_never_ranked(sentences in 1..80usize, way in 0..3usize) {
        let rule = "Never promise a refund; refunds are decided by billing. ".repeat(sentences);
        let (path, text) = [
            ("rules/refunds.md", format!("# Refunds\n\n{rule}\n")),
            ("refunds.md", format!("---\npinned: true\n---\n# Refunds\n\n{rule}\n")),
            ("refunds.md", format!("# Refunds {{.pinned}}\n\n{rule}\n")),
        ][way].clone();
        let other = ("shipping.md", "# Shipping\n\nTwo days.\n");
        let config = "[budget]\ncontext = 100000\n[sections]\ntarget = 32\nmax = 64\n";
        let site = Site::new(config, &[(path, &text), other]);
        prop_assert_eq!(site.pinned.len(), 1);
        prop_assert_eq!(&site.texts[site.pinned[0] as usize], rule.trim());
        prop_assert!(site.ranked("who decides about a refund?").is_empty());
    }

    #[test]
    fn a_build_fails_exactly_when_the_pinned_set_does_not_fit(source in site(), short in prop::bool::ANY) {
        let site = source.build();
        let pinned: u32 = site.pinned.iter().map(|id| site.kb.blob().tokens(*id)).sum();
        prop_assume!(pinned > 64);
        let budget = pinned - u32::from(short);
        let config = format!("[budget]\ncontext = {budget}\nfloor = 0\n[sections]\ntarget = 40\nmax = 90\n");
        match try_build(&config, &source.files()) {
            Ok(_) => prop_assert!(!short),
            Err(error) => {
                prop_assert!(short && error.code() == "pinned-over-budget");
                let message = error.to_string();
                prop_assert!(message.contains(&format!("{pinned} > {budget}")), "{}", message);
                for name in site.refs(&site.pinned) {
                    prop_assert!(message.contains(&name), "{} is not in {}", name, message);
                }
            }
        }
    }
}
