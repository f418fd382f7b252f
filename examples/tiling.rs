//! Checks on real files that nothing is lost in cutting: the visible words of each source, found the slow and obvious way, against
//! those of its sections, in order. Exits with 1 when any is lost.
//!
//! ```sh
//! cargo run --example tiling --features build -- DIR…
//! ```

#[path = "kit/site.rs"]
mod site;
#[path = "kit/visible.rs"]
mod visible;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

#[derive(Default)]
struct Sum {
    files: usize,
    skipped: usize,
    words: usize,
    lost: usize,
    added: usize,
    moved: usize,
    excepted: usize,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut lost = 0;
    for folder in std::env::args().skip(1) {
        lost += check(Path::new(&folder))?;
    }
    Ok(ExitCode::from(u8::from(lost > 0)))
}

fn check(folder: &Path) -> Result<usize, Box<dyn Error>> {
    let mut sum = Sum::default();
    let mut places = Vec::new();
    for (path, text) in site::files(folder)? {
        let Some(sections) = site::sections(&path, &text) else {
            sum.skipped += 1;
            continue;
        };
        let is_page = !site::is_markdown(&path);
        let source = if is_page {
            visible::page(&text, &mut sum.excepted)
        } else {
            visible::words(&visible::plain(&path, &text, &mut sum.excepted))
        };
        let mut found = Vec::new();
        for (at, section) in sections.iter().enumerate() {
            let before = at.checked_sub(1).map(|at| &sections[at]);
            for title in site::new_titles(section, before) {
                found.extend(visible::plain_words(title).map(str::to_string));
            }
            found.extend(visible::section_words(&section.text).into_iter().map(|word| word.text));
        }
        let aligned = visible::align(&source, &found);
        sum.files += 1;
        sum.words += source.len();
        sum.lost += aligned.lost.len();
        sum.added += aligned.added;
        sum.moved += aligned.moved;
        if let Some(first) = aligned.lost.first() {
            let around =
                source[first.saturating_sub(4)..(first + 6).min(source.len())].iter().map(|word| word.text.as_str());
            let around: Vec<&str> = around.collect();
            places.push((aligned.lost.len(), format!("{path}: … {} …", around.join(" "))));
        }
    }
    println!(
        "{}: {} files ({} without sections), {} words, {} lost, {} added, {} moved, {} left out as code, tags or marks",
        folder.display(),
        sum.files,
        sum.skipped,
        sum.words,
        sum.lost,
        sum.added,
        sum.moved,
        sum.excepted
    );
    places.sort_by_key(|(lost, _)| std::cmp::Reverse(*lost));
    for (lost, place) in places.iter().take(12) {
        println!("  {lost} in {place}");
    }
    Ok(sum.lost)
}
