//! Law 6. Reproducible: the same sources and configuration give the same bytes, whoever builds, whenever, in whatever order.

use std::thread;

use pinpack_index::Built;
use proptest::prelude::*;

use crate::kit::{Chance, Site, try_build};
use crate::sites::{Source, site};

fn build(source: &Source) -> Built {
    try_build(&source.config, &source.files()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn file_order_time_and_thread_make_no_difference(source in site(), seed in any::<u64>()) {
        let first = build(&source);
        let mut shuffled = source.clone();
        Chance(seed).shuffle(&mut shuffled.files);
        let threads = [(); 8].map(|()| source.clone()).map(|source| thread::spawn(move || build(&source)));
        let threads = threads.map(|thread| thread.join().unwrap());
        for again in [build(&source), build(&shuffled)].iter().chain(&threads) {
            prop_assert!(again.blob == first.blob);
            prop_assert!(again.knowledge == first.knowledge);
        }
    }

    #[test]
    fn any_change_of_text_gives_another_hash(source in site(), seed in any::<u64>(), word in "[a-z]{1,8}") {
        let mut chance = Chance(seed);
        let mut changed = source.clone();
        let file = chance.below(changed.files.len());
        changed.files[file].1 += &["\n\n", &word, "\n"].concat();
        let (before, after) = (Site::of(build(&source)), Site::of(build(&changed)));
        prop_assert_ne!(before.kb.stats().hash, after.kb.stats().hash);
    }
}

#[test]
fn every_setting_and_every_private_word_is_in_the_hash() {
    let rule = |text: &'static str| ("rules/names.md", text);
    let page = ("faq.md", "# Refunds\n\nWithin 30 days.\n");
    let hash = |config: &str, files: &[(&str, &str)]| Site::new(config, files).kb.stats().hash;
    let first = hash("", &[page, rule("# Names\n\nNever name client Acme.\n")]);
    assert_eq!(first.len(), 32);
    // The same number of tokens, and private: nothing else in the blob changes.
    let other = [page, rule("# Names\n\nNever name client Dune.\n")];
    let hashes = [
        first.clone(),
        hash("", &other),
        hash("[budget]\ncontext = 3600\n", &[page, rule("# Names\n\nNever name client Acme.\n")]),
        hash("[budget]\nfloor = 100\n", &[page, rule("# Names\n\nNever name client Acme.\n")]),
        hash("[prompt]\nrefusal = 'Ask us.'\n", &[page, rule("# Names\n\nNever name client Acme.\n")]),
        hash("[query]\nmessages = 3\n", &[page, rule("# Names\n\nNever name client Acme.\n")]),
        hash("[site]\nbase_url = 'https://a.example'\n", &[page, rule("# Names\n\nNever name client Acme.\n")]),
        hash("[pinned]\npublish = true\n", &[page, rule("# Names\n\nNever name client Acme.\n")]),
    ];
    let mut different = hashes.to_vec();
    different.sort();
    different.dedup();
    assert_eq!(different.len(), hashes.len(), "{hashes:?}");
    assert_eq!(hash("", &[rule("# Names\n\nNever name client Acme.\n"), page]), first);
}

#[test]
fn a_private_rule_is_nowhere_in_the_blob() {
    let files =
        [("rules/names.md", "# Names\n\nNever name client Zanzibar.\n"), ("faq.md", "# Hours\n\nNine to five.\n")];
    let holds = |config: &str| {
        let site = Site::new(config, &files);
        let blob = site.blob.to_ascii_lowercase();
        (blob.windows(8).any(|bytes| bytes == b"zanzibar"), site.kb.section(site.pinned[0]).unwrap().text)
    };
    assert_eq!(holds(""), (false, None));
    assert_eq!(holds("[pinned]\npublish = true\n"), (true, Some("Never name client Zanzibar.".into())));
}
