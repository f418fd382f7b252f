//! What the owner should look at. `docs/errors.md` lists the codes.

use super::pins::{LARGE_SHARE, LONG_RULE, reads_like_reference};
use super::{Missing, Repeated, Report, Skip, Warning};
use crate::blob::Blob;
use crate::config::Config;
use crate::section::SectionSet;

impl Report {
    pub(super) fn warn(&mut self, blob: &Blob, config: &Config, set: &SectionSet) {
        self.warn_of_share(config);
        self.warn_of_sizes(blob, config);
        self.warn_of_pins(blob, config, set);
        self.warn_of_duplicates();
        self.warn_of_same_refs(blob);
        self.warn_of_skipped();
        self.warn_of_encodings();
        self.warn_of_links();
    }

    fn warn_of_share(&mut self, config: &Config) {
        let percent = (self.pinned_share * 100.0).round();
        if self.pinned_share > config.budget.pinned_max {
            let most = (config.budget.pinned_max * 100.0).round();
            self.push(
                "pinned-share",
                format!(
                    "pinned sections take {percent}% of every request, wanted at most {most}%: unpin or shorten some"
                ),
            );
        } else if self.pinned_share > config.budget.pinned_warn {
            let good = (config.budget.pinned_warn * 100.0).round();
            self.push(
                "pinned-share-note",
                format!("pinned sections take {percent}% of every request; {good}% is a good target"),
            );
        }
    }

    fn warn_of_sizes(&mut self, blob: &Blob, config: &Config) {
        let room = self.budget.saturating_sub(self.pinned_tokens);
        for id in (0..blob.sections() as u32).filter(|id| !blob.is_pinned(*id)) {
            let (tokens, max) = (blob.tokens(id), config.sections.max);
            if tokens > room {
                let reference = blob.reference(id);
                self.push(
                    "never-fits",
                    format!("{reference} has {tokens} tokens, beside the pinned set {room} are left: it is never sent"),
                );
            } else if tokens > max {
                let reference = blob.reference(id);
                self.push(
                    "over-max",
                    format!("{reference} has {tokens} tokens, over sections.max ({max}): ready-made sections are not cut, make two of it"),
                );
            }
        }
    }

    fn warn_of_pins(&mut self, blob: &Blob, config: &Config, set: &SectionSet) {
        let allowance = (config.budget.pinned_max * self.budget as f32).round();
        for id in (0..blob.sections() as u32).filter(|id| blob.is_pinned(*id)) {
            let tokens = blob.tokens(id);
            let share = tokens as f32 / allowance;
            if share > LARGE_SHARE {
                let (reference, percent) = (blob.reference(id), (share * 100.0).round());
                self.push(
                    "pinned-large",
                    format!(
                        "{reference} has {tokens} tokens, {percent}% of the {allowance} that pinned sections should take together: \
                         pin only its rule, and let the rest be found"
                    ),
                );
            }
            if reads_like_reference(&set.sections[id as usize].text, tokens, blob.language()) {
                let reference = blob.reference(id);
                let lacks = if blob.language().starts_with("en") {
                    "no number and no word such as never, always, must or only"
                } else {
                    "no number"
                };
                self.push(
                    "pinned-reference",
                    format!(
                        "{reference} is pinned, has {tokens} tokens (over {LONG_RULE}) and {lacks}: it reads like reference \
                         material; unpin it, so that it is sent when a question asks for it"
                    ),
                );
            }
        }
    }

    fn warn_of_duplicates(&mut self) {
        for Repeated { sections, similarity, wasted_tokens } in self.duplicates.clone() {
            let refs: Vec<&str> = sections.iter().map(|section| section.reference.as_str()).collect();
            let percent = (similarity * 100.0).floor();
            let pinned = sections.iter().find(|section| section.pinned).map(|section| &section.reference);
            let names = if refs.len() > 5 {
                format!("{} and {} more", refs[..5].join(", "), refs.len() - 5)
            } else {
                refs.join(", ")
            };
            let together = format!("up to {wasted_tokens} tokens of a request go to the repetition");
            if let Some(pinned) = pinned {
                self.push(
                    "pinned-duplicate",
                    format!("{pinned} is sent with every request, and the same stands elsewhere ({percent}% alike): {names}; {together}; keep one"),
                );
            } else if similarity >= 1.0 {
                self.push("duplicate", format!("the same text in {names}: {together}; keep one"));
            } else {
                self.push(
                    "near-duplicate",
                    format!(
                        "nearly the same text ({percent}% alike) in {names}: {together}; keep one, or say what differs"
                    ),
                );
            }
        }
    }

    fn warn_of_same_refs(&mut self, blob: &Blob) {
        let mut refs: Vec<String> = (0..blob.sections() as u32).map(|id| blob.reference(id)).collect();
        refs.sort_unstable();
        let mut same: Vec<&String> = refs.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| &pair[0]).collect();
        same.dedup();
        for reference in same {
            self.push("same-ref", format!("several sections are called {reference}: give each its own id"));
        }
    }

    fn warn_of_skipped(&mut self) {
        for skipped in self.skipped.clone() {
            let (path, reason) = (&skipped.path, &skipped.reason);
            match skipped.why {
                // Its owner wants it so.
                Skip::Draft => {}
                _ if skipped.pinned => {
                    self.push("pinned-skipped", format!("{path} should be pinned, and is not sent at all: {reason}"));
                }
                Skip::NoText => self.push("no-text", format!("{path}: {reason}")),
                Skip::Unread => self.push("skipped", format!("{path}: {reason}")),
            }
        }
    }

    fn warn_of_encodings(&mut self) {
        for file in self.files.clone() {
            if let Some(encoding) = &file.encoding {
                self.push("encoding", format!("{}: {encoding}", file.path));
            }
        }
    }

    fn warn_of_links(&mut self) {
        for link in self.broken_links.clone() {
            let (file, target) = (&link.file, &link.target);
            match link.missing {
                Missing::Page => self.push("broken-link", format!("{file} links to {target}: there is no such page")),
                Missing::Anchor => self.push(
                    "broken-anchor",
                    format!("{file} links to {target}: the page is there, a heading or id of this name is not"),
                ),
            }
        }
    }

    fn push(&mut self, code: &'static str, message: String) {
        self.warnings.push(Warning { code, message });
    }
}
