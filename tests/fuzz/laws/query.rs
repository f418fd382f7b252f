//! The query: any conversation ranks, packs within the budget with every pin first, and is explained as it is packed.

use std::sync::LazyLock;

use pinpack::{Message, Pinpack, Role, weigh};

use super::blob::fixture;

static FIXTURE: LazyLock<Vec<u8>> = LazyLock::new(fixture);

/// Lines are messages; one that begins with `<` is the assistant's.
pub fn query(bytes: &[u8]) {
    let kb = Pinpack::open(FIXTURE.clone()).expect("a sound blob");
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let role = |line: &str| if line.starts_with('<') { Role::Assistant } else { Role::User };
    let messages: Vec<Message<'_>> = text.split('\n').map(|line| Message { role: role(line), content: line }).collect();
    let pinned: Vec<u32> = (0..kb.blob().sections() as u32).filter(|id| kb.blob().is_pinned(*id)).collect();
    let all = kb.rank(&messages, usize::MAX);
    assert!(all.windows(2).all(|pair| pair[0].score >= pair[1].score && pair[0].score.is_finite()));
    assert!(all.iter().all(|hit| !pinned.contains(&hit.id)));
    let ids = |limit| kb.rank(&messages, limit).iter().map(|hit| hit.id).collect::<Vec<_>>();
    assert_eq!(ids(2), ids(usize::MAX)[..all.len().min(2)]);
    for budget in [None, Some(70), Some(u32::MAX)] {
        let Ok(pack) = kb.pack(&messages, budget) else { continue };
        let sent = pack.ids();
        assert!(pack.tokens <= pack.budget && sent.starts_with(&pinned));
        assert_eq!(pack.tokens, sent.iter().map(|id| kb.blob().tokens(*id)).sum::<u32>());
        assert!(sent.iter().enumerate().all(|(at, id)| !sent[..at].contains(id)), "{sent:?}");
        assert_eq!(kb.explain(&messages, budget).expect("it packs").ids(), sent);
        assert!((0.0..=1.0).contains(&pack.coverage.value));
    }
    let shares = weigh(&messages, &["Kelp within 30 days.", "Never promise kelp.", text], "en");
    assert!(shares.len() == 3 && shares.iter().all(|share| (0.0..=1.0001).contains(share)), "{shares:?}");
}
