//! The text of one block under way: line breaks, and what begins each line of a quote or an item.

/// Deeper quotes and lists are not indented further: a line's beginning is never longer than its source by more than this.
const MAX_PREFIX_BYTES: usize = 48;

/// What is due before the next words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    #[default]
    None,
    /// A space, unless there is one.
    Space,
    Line,
    Blank,
}

#[derive(Debug, Default)]
pub(super) struct Writer {
    out: String,
    due: Gap,
    /// Length of the prefix when the gap fell due: a blank line belongs to what was before it.
    due_prefix: usize,
    prefix: String,
    /// Length of each part of `prefix`.
    parts: Vec<usize>,
    /// A list marker was just written: what follows stays on its line.
    fresh: bool,
    /// Images part words: a space is due when a word follows a word.
    parts_words: bool,
    /// Something other than marks was written.
    pub visible: bool,
}

impl Writer {
    pub fn gap(&mut self, gap: Gap) {
        if !self.out.is_empty() && !self.fresh {
            let before = if self.due == Gap::None { usize::MAX } else { self.due_prefix };
            self.due_prefix = self.prefix.len().min(before);
            self.due = self.due.max(gap);
        }
    }

    /// Parts what was written from what follows.
    pub fn part(&mut self) {
        self.gap(Gap::Space);
    }

    /// Parts a word from a word that follows, and nothing else.
    pub fn part_words(&mut self) {
        self.parts_words = true;
    }

    /// Parts code from code that it stands beside: their marks would be one.
    pub fn part_code(&mut self) {
        if self.out.ends_with('`') {
            self.part();
        }
    }

    pub fn push_prefix(&mut self, part: &str) {
        let part = if self.prefix.len() + part.len() > MAX_PREFIX_BYTES { "" } else { part };
        // A quote that begins a block or an item marks its first line too.
        if self.out.is_empty() || self.fresh {
            self.out.push_str(if part.starts_with('>') { part } else { "" });
            self.fresh |= part.starts_with('>');
        }
        self.prefix.push_str(part);
        self.parts.push(part.len());
    }

    pub fn pop_prefix(&mut self) {
        let len = self.parts.pop().unwrap_or(0);
        self.prefix.truncate(self.prefix.len() - len);
        self.fresh = false;
    }

    /// What follows stands beside the marker that was just written.
    pub fn item(&mut self) {
        self.fresh = true;
    }

    /// Words of the page.
    pub fn words(&mut self, text: &str) {
        let text = if self.parts_words { self.after_image(text) } else { text };
        if text.is_empty() {
            return;
        }
        self.parts_words = false;
        self.arrive(!text.starts_with(char::is_whitespace));
        self.visible |= !text.trim().is_empty();
        self.out.push_str(text);
    }

    /// What comes after an image: parted from a word before it, and from nothing twice where the image left no words.
    fn after_image<'t>(&mut self, text: &'t str) -> &'t str {
        if self.out.ends_with(char::is_alphanumeric) && text.starts_with(char::is_alphanumeric) {
            self.part();
        }
        let after_blank = self.out.ends_with(' ') && self.due == Gap::None;
        if after_blank && !self.fresh && text.starts_with(['.', ',', ';', ':', '!', '?', ')']) {
            self.out.pop();
        }
        if after_blank { text.trim_start_matches(' ') } else { text }
    }

    /// A mark that is not a word of the page.
    pub fn mark(&mut self, mark: &str) {
        self.arrive(true);
        self.out.push_str(mark);
    }

    pub fn code_line(&mut self, line: &str) {
        if line.is_empty() {
            // An empty line of code is due as it is: the next gap must not swallow it.
            self.arrive(false);
            return;
        }
        self.words(line);
    }

    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// Ends a link with its target; one without text leaves nothing.
    pub fn close_link(&mut self, target: &str, start: usize) {
        if self.out.len() == start && self.out.ends_with('[') {
            self.out.pop();
        } else if target.contains([' ', '(', ')']) {
            self.out.extend(["](<", target, ">)"]);
        } else {
            self.out.extend(["](", target, ")"]);
        }
    }

    pub fn finish(self) -> String {
        self.out.trim_end().trim_start_matches('\n').to_string()
    }

    fn arrive(&mut self, space: bool) {
        self.fresh = false;
        match std::mem::take(&mut self.due) {
            Gap::Space if space && !self.out.ends_with(char::is_whitespace) => self.out.push(' '),
            Gap::None | Gap::Space => {}
            gap => {
                self.out.truncate(self.out.trim_end_matches(' ').len());
                if gap == Gap::Blank {
                    self.out.push('\n');
                    self.out.push_str(self.prefix[..self.due_prefix.min(self.prefix.len())].trim_end());
                }
                self.out.push('\n');
                self.out.push_str(&self.prefix);
            }
        }
    }
}
