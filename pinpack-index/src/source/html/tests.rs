use super::*;

/// The blocks of a page, a line each: kind and text.
fn read(source: &str) -> Vec<String> {
    read_html(source).blocks.iter().map(|block| block.text.clone()).collect()
}

fn left_out(source: &str) -> Vec<(&'static str, usize)> {
    read_html(source).left_out.iter().map(|left| (left.reason, left.words)).collect()
}

#[test]
fn eye() {
    let Ok(path) = std::env::var("EYE") else { return };
    let mut sums = std::collections::BTreeMap::new();
    let mut kept = 0;
    for path in path.split(',') {
        let source = std::fs::read_to_string(path).unwrap();
        let start = std::time::Instant::now();
        let document = read_html(&source);
        println!("=== {path} {:?} {:?} {:?} {:?}", document.title, document.url, document.left_out, start.elapsed());
        for block in &document.blocks {
            if std::env::var("QUIET").is_err() {
                println!("--- {:?} {:?}\n{}", block.kind, block.span, block.text);
            }
            kept += block.text.split_whitespace().count();
        }
        for left in document.left_out {
            *sums.entry(left.reason).or_insert(0) += left.words;
        }
    }
    println!("kept {kept} left out {sums:?}");
}
