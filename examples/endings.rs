//! Counts the sections of real files by size, and those whose last line ends in no stop by what that line is. Exits with 1 when any was
//! cut inside a sentence.
//!
//! ```sh
//! cargo run --example endings --features build -- DIR…
//! ```

#[path = "kit/site.rs"]
mod site;
#[path = "kit/visible.rs"]
mod visible;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use site::Section;

/// What a last line without a stop can be.
const KINDS: [&str; 9] = ["item", "fence", "table row", "quote", "link", "heading-like", "colon", "line", "cut"];

/// Tokens up to which sections are counted together.
const SIZES: [u64; 6] = [50, 100, 200, 350, 600, 900];

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut sites: Vec<(String, Counts)> = Vec::new();
    let mut sum = Counts::default();
    for folder in std::env::args().skip(1) {
        let folder = Path::new(&folder);
        let mut counts = Counts::default();
        for (path, text) in site::files(folder)? {
            if let Some(sections) = site::sections(&path, &text) {
                counts.add(&path, &text, &sections);
            }
        }
        sum.merge(&counts);
        sites.push((folder.file_name().unwrap_or_default().to_string_lossy().into(), counts));
    }
    let cut = sum.kinds[KINDS.len() - 1];
    sites.push(("all".into(), sum));
    print_sizes(&sites);
    print_endings(&sites);
    Ok(ExitCode::from(u8::from(cut > 0)))
}

fn print_sizes(sites: &[(String, Counts)]) {
    println!("| site | sections | to {} | pieces |", SIZES.map(|size| size.to_string()).join(" | to "));
    println!("| --- | --: |{}", " --: |".repeat(SIZES.len() + 1));
    for (site, counts) in sites {
        let columns = counts.sizes.map(|count| count.to_string()).join(" | ");
        let share = 100.0 * counts.pieces as f64 / counts.sections.max(1) as f64;
        println!("| {site} | {} | {columns} | {share:.1}% |", counts.sections);
    }
    println!();
}

fn print_endings(sites: &[(String, Counts)]) {
    println!("| site | no stop | {} |", KINDS.join(" | "));
    println!("| --- | --: |{}", " --: |".repeat(KINDS.len()));
    for (site, counts) in sites {
        let kinds = counts.kinds.map(|count| count.to_string()).join(" | ");
        println!("| {site} | {} | {kinds} |", counts.kinds.iter().sum::<usize>());
    }
}

#[derive(Default)]
struct Counts {
    sections: usize,
    /// Those that are not all that their heading has.
    pieces: usize,
    sizes: [usize; SIZES.len()],
    kinds: [usize; KINDS.len()],
}

impl Counts {
    fn add(&mut self, path: &str, text: &str, sections: &[Section]) {
        let mut cut = cuts(path, text, sections);
        cut.push(false);
        self.sections += sections.len();
        self.pieces += sections.iter().filter(|section| is_piece(section, sections)).count();
        for (section, cut) in sections.iter().zip(cut) {
            if let Some(at) = SIZES.iter().position(|size| section.tokens <= *size) {
                self.sizes[at] += 1;
            }
            let kind = if cut { Some("cut") } else { kind(&section.text, text) };
            if cut || (kind == Some("line") && std::env::var_os("SHOW").is_some()) {
                let last = section.text.lines().last().unwrap_or_default();
                eprintln!("{} {}: {last}", kind.unwrap_or_default(), section.reference);
            }
            if let Some(at) = KINDS.iter().position(|name| Some(*name) == kind) {
                self.kinds[at] += 1;
            }
        }
    }

    fn merge(&mut self, other: &Self) {
        self.sections += other.sections;
        self.pieces += other.pieces;
        let add =
            |all: &mut [usize], counts: &[usize]| all.iter_mut().zip(counts).for_each(|(all, count)| *all += count);
        add(&mut self.sizes, &other.sizes);
        add(&mut self.kinds, &other.kinds);
    }
}

/// Is a section one of several of its heading?
fn is_piece(section: &Section, sections: &[Section]) -> bool {
    let second = format!("{}~2", section.reference);
    section.reference.contains('~') || sections.iter().any(|other| other.reference == second)
}

/// What the last line is when it ends in no stop.
fn kind(section: &str, source: &str) -> Option<&'static str> {
    let line = section.trim_end().lines().last().unwrap_or_default();
    let mark = line.trim_start();
    let bare = mark.trim_end_matches(['*', '_', '"', '\'', '”', '’', ')', '）', '」', '』', '`', ']', '>']);
    let is_link = mark.ends_with(')') && mark.contains("](") || mark.starts_with("http") && !mark.contains(' ');
    let digits = mark.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_item = ["- ", "* ", "+ "].iter().any(|marker| mark.starts_with(marker))
        || digits.len() < mark.len() && (digits.starts_with(". ") || digits.starts_with(") "));
    Some(match mark {
        _ if mark.starts_with("```") || mark.starts_with("~~~") => "fence",
        _ if mark.starts_with('|') => "table row",
        _ if bare.ends_with(['.', '!', '?', '…', '。', '！', '？']) => return None,
        _ if is_item || line.starts_with("  ") => "item",
        _ if mark.starts_with('>') => "quote",
        _ if bare.ends_with([':', '：']) => "colon",
        _ if is_link => "link",
        _ if is_heading(mark, source) => "heading-like",
        _ => "line",
    })
}

/// Is a line wholly bold, or a heading of the source, which has neither text nor headings below it?
fn is_heading(line: &str, source: &str) -> bool {
    let bold = line.len() > 4 && line.starts_with("**") && line.ends_with("**");
    let heads = |other: &str| other.starts_with('#') && other.trim_start_matches('#').trim() == line;
    bold || source.lines().any(heads)
}

/// For each section but the last: does the next one go on inside a sentence of it?
///
/// The words of Markdown are looked up in the source as it is rendered. For HTML every piece counts whose text before has no stop.
fn cuts(path: &str, text: &str, sections: &[Section]) -> Vec<bool> {
    let base = |section: &Section| section.reference.split('~').next().unwrap_or_default().to_string();
    let pieces = sections.windows(2).map(|pair| pair[1].reference.contains('~') && base(&pair[0]) == base(&pair[1]));
    let pieces: Vec<bool> = pieces.collect();
    if !pieces.contains(&true) {
        return pieces;
    }
    if !site::is_markdown(path) {
        let open = |(at, piece): (usize, bool)| piece && kind(&sections[at].text, text) == Some("line");
        return pieces.into_iter().enumerate().map(open).collect();
    }
    let source =
        visible::words(&visible::titled(site::file_title(path, sections), &visible::plain(path, text, &mut 0)));
    let (mut found, mut starts) = (Vec::new(), Vec::new());
    for (at, section) in sections.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| &sections[at]);
        let titles = site::new_titles(section, before).iter().flat_map(|title| visible::plain_words(title));
        found.extend(titles.map(str::to_string));
        starts.push(found.len());
        found.extend(visible::words(&section.text).into_iter().map(|word| word.text));
    }
    let places = visible::align(&source, &found).places;
    let goes_on = |(at, piece): (usize, bool)| {
        let words = starts[at + 1]..starts.get(at + 2).copied().unwrap_or(found.len());
        let first = places[words].iter().flatten().next();
        piece && first.is_some_and(|first| !source[*first].begins && source[*first].code == 0)
    };
    pieces.into_iter().enumerate().map(goes_on).collect()
}
