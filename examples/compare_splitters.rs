//! Compares pinpack's sections with the chunks of the text-splitter crate's `MarkdownSplitter` at the same sizes on real files of
//! Markdown.
//!
//! ```sh
//! cargo run --example compare_splitters --features build -- DIR…
//! ```

#[path = "kit/site.rs"]
mod site;
#[path = "kit/visible.rs"]
mod visible;

use std::error::Error;
use std::path::Path;

use pinpack_index::Counter;
use text_splitter::{ChunkConfig, ChunkSizer, MarkdownSplitter};

/// Target and maximum in tokens: pinpack's defaults.
const SIZES: std::ops::Range<usize> = 350..900;

struct Tokens(Counter);

impl ChunkSizer for Tokens {
    fn size(&self, chunk: &str) -> usize {
        self.0.count(chunk) as usize
    }
}

#[derive(Default)]
struct Counts {
    pieces: usize,
    over: usize,
    sentences: usize,
    rows: usize,
    headless: usize,
    fences: usize,
    orphans: usize,
    lost: usize,
}

/// One piece: titles that go before it, and its text.
type Piece<'p> = (Vec<String>, &'p str);

fn main() -> Result<(), Box<dyn Error>> {
    let counter = Tokens(Counter::new("o200k_base")?);
    let splitter = MarkdownSplitter::new(ChunkConfig::new(SIZES).with_sizer(&counter));
    println!(
        "| site | splitter | pieces | over {} tokens | cut in a sentence | in a row | table without header | open fence | orphan heading | words lost |",
        SIZES.end
    );
    println!("| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: |");
    let mut sums = [Counts::default(), Counts::default()];
    for folder in std::env::args().skip(1) {
        let folder = Path::new(&folder);
        let mut counts = [Counts::default(), Counts::default()];
        for (path, text) in site::files(folder)? {
            if !site::is_markdown(&path) {
                continue;
            }
            let Some(sections) = site::sections(&path, &text) else { continue };
            let body = visible::titled(site::file_title(&path, &sections), &visible::plain(&path, &text, &mut 0));
            let source = visible::words(&body);
            let ours = sections.iter().enumerate().map(|(at, section)| {
                let before = at.checked_sub(1).map(|at| &sections[at]);
                (site::new_titles(section, before).to_vec(), section.text.as_str())
            });
            counts[0].add(&source, &ours.collect::<Vec<Piece<'_>>>());
            counts[0].over += sections.iter().filter(|section| section.tokens > SIZES.end as u64).count();
            let chunks: Vec<&str> = splitter.chunks(&body).collect();
            counts[1].add(&source, &chunks.iter().map(|chunk| (Vec::new(), *chunk)).collect::<Vec<Piece<'_>>>());
            counts[1].over += chunks.iter().filter(|chunk| counter.size(chunk) > SIZES.end).count();
        }
        let name = folder.file_name().unwrap_or_default().to_string_lossy().to_string();
        for (count, sum) in counts.iter().zip(&mut sums) {
            sum.merge(count);
        }
        print(&name, &counts);
    }
    print("all", &sums);
    Ok(())
}

fn print(site: &str, counts: &[Counts; 2]) {
    for (name, c) in ["pinpack", "text-splitter"].iter().zip(counts) {
        println!(
            "| {site} | {name} | {} | {} | {} | {} | {} | {} | {} | {} |",
            c.pieces, c.over, c.sentences, c.rows, c.headless, c.fences, c.orphans, c.lost
        );
    }
}

impl Counts {
    fn add(&mut self, source: &[visible::Word], pieces: &[Piece<'_>]) {
        let mut found = Vec::new();
        // Where each piece's own words begin among those found.
        let mut starts = Vec::new();
        for (titles, text) in pieces {
            found.extend(titles.iter().flat_map(|title| visible::plain_words(title)).map(str::to_string));
            starts.push(found.len());
            found.extend(visible::words(text).into_iter().map(|word| word.text));
            self.pieces += 1;
            self.fences += usize::from(open_fence(text));
            self.headless += usize::from(headless(text));
            self.orphans += usize::from(text.trim_end().lines().last().is_some_and(is_heading));
        }
        let aligned = visible::align(source, &found);
        self.lost += aligned.lost.len();
        for (at, start) in starts.iter().enumerate() {
            let end = starts.get(at + 1).copied().unwrap_or(found.len());
            let Some(first) = aligned.places[*start..end].iter().flatten().next().filter(|first| **first > 0) else {
                continue;
            };
            let (before, after) = (&source[first - 1], &source[*first]);
            self.sentences += usize::from(!after.begins && after.code == 0);
            if std::env::var_os("SHOW").is_some()
                && (!after.begins && after.code == 0 || after.row > 0 && after.row == before.row)
            {
                let around = source[first.saturating_sub(6)..(first + 6).min(source.len())]
                    .iter()
                    .map(|word| word.text.as_str());
                eprintln!("{}: {}", pieces[at].0.join(" › "), around.collect::<Vec<_>>().join(" "));
            }
            self.rows += usize::from(after.row > 0 && after.row == before.row);
        }
    }

    fn merge(&mut self, other: &Self) {
        self.pieces += other.pieces;
        self.over += other.over;
        self.sentences += other.sentences;
        self.rows += other.rows;
        self.headless += other.headless;
        self.fences += other.fences;
        self.orphans += other.orphans;
        self.lost += other.lost;
    }
}

/// Does a piece open a fence that it does not close, or the other way round?
fn open_fence(text: &str) -> bool {
    let marks = text.lines().map(str::trim_start).filter(|line| line.starts_with("```") || line.starts_with("~~~"));
    marks.count() % 2 == 1
}

/// Does it begin in the middle of a table, without the header?
fn headless(text: &str) -> bool {
    let mut lines = text.trim().lines();
    let delimits = |line: &str| line.contains('-') && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
    let first = lines.next().unwrap_or_default();
    let second = lines.next().unwrap_or_default();
    first.starts_with('|') && first.ends_with('|') && !delimits(second)
}

fn is_heading(line: &str) -> bool {
    let rest = line.trim_start_matches('#');
    (1..=6).contains(&(line.len() - rest.len())) && rest.starts_with(' ')
}
