//! Law 5. What `explain` shows is what is sent, and the same question always gets the same answer.

use pinpack::{Message, Why};
use proptest::prelude::*;

use crate::kit::Site;
use crate::sites::{conversation, messages, site};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn explain_is_the_pack_and_accounts_for_every_section(
        source in site(),
        asked in prop::collection::vec((conversation(), 0..1500u32), 6),
    ) {
        let (site, again) = (source.build(), source.build());
        for (conversation, budget) in &asked {
            let messages = messages(conversation);
            let Ok(pack) = site.kb.pack(&messages, Some(*budget)) else { continue };
            let explained = site.kb.explain(&messages, Some(*budget)).unwrap();
            prop_assert_eq!(&pack.sections, &explained.sections);
            prop_assert_eq!((pack.tokens, pack.budget), (explained.tokens, explained.budget));
            prop_assert_eq!((&pack.terms, &pack.coverage), (&explained.terms, &explained.coverage));
            let matching = explained.left.iter().filter(|entry| entry.why != Why::NoMatch);
            let large: Vec<_> = matching.cloned().collect();
            prop_assert_eq!(&pack.left[..], &large[..large.len().min(20)]);
            let mut ids: Vec<u32> = explained.sections.iter().chain(&explained.left).map(|entry| entry.id).collect();
            ids.sort_unstable();
            prop_assert_eq!(ids, (0..site.kb.blob().sections() as u32).collect::<Vec<_>>());
            // Twice, and from a second build.
            prop_assert_eq!(&site.kb.pack(&messages, Some(*budget)).unwrap(), &pack);
            prop_assert_eq!(&again.kb.pack(&messages, Some(*budget)).unwrap(), &pack);
        }
    }

    #[test]
    fn a_score_is_the_sum_of_its_parts_and_the_rank_is_the_scores(source in site(), conversation in conversation()) {
        let site = source.build();
        let messages = messages(&conversation);
        let explained = site.kb.explain(&messages, None).unwrap();
        let entries = explained.sections.iter().chain(&explained.left);
        let mut scored: Vec<_> = entries.filter(|entry| entry.score > 0.0).collect();
        for entry in &scored {
            let sum: f32 = entry.parts.iter().map(|part| part.score).sum();
            prop_assert!((sum - entry.score).abs() <= 1e-5 * entry.score, "{:?}", entry);
        }
        // But for neighbors they stand in order.
        prop_assert!(scored.iter().filter(|entry| entry.why == Why::Scored).is_sorted_by(|a, b| a.score >= b.score));
        scored.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.id.cmp(&b.id)));
        let ranked: Vec<(u32, f32)> =
            site.kb.rank(&messages, usize::MAX).into_iter().map(|hit| (hit.id, hit.score)).collect();
        prop_assert_eq!(ranked, scored.iter().map(|entry| (entry.id, entry.score)).collect::<Vec<_>>());
    }
}

/// The one section that holds both words is long, ranks last, and is far beyond the left-out sections that a pack names.
#[test]
fn coverage_is_the_same_however_many_sections_are_left_out() {
    let mut texts = vec!["kelp kelp kelp kelp".to_string(); 30];
    texts.extend(vec!["urchin urchin urchin urchin".to_string(); 30]);
    texts.push(format!("kelp urchin {}", "sand ".repeat(400)));
    let site = Site::of_texts(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    let question = [Message::user("kelp urchin")];
    assert_eq!(site.ranked("kelp urchin").last().unwrap(), "61");
    let pack = site.kb.pack(&question, Some(100)).unwrap();
    let explained = site.kb.explain(&question, Some(100)).unwrap();
    assert_eq!(pack.sections, explained.sections);
    assert_eq!(pack.coverage, explained.coverage);
}
