//! Builds a folder: reads its `pinpack.toml` and the files that it names, and writes the blob and the proxy's file.
//!
//! ```sh
//! cargo run --example build_folder --features build -- FOLDER OUT.pinpack [KNOWLEDGE.json]
//! ```

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use pinpack::build::{Config, SourceFile, build, select};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [folder, blob, rest @ ..] = &args[..] else { return Err("wanted FOLDER OUT.pinpack [KNOWLEDGE.json]".into()) };
    let folder = Path::new(folder);
    let config = Config::parse(&fs::read_to_string(folder.join("pinpack.toml")).unwrap_or_default())?;

    let mut paths = Vec::new();
    walk(folder, folder, &mut paths)?;
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let chosen = select(&paths, &config)?;
    let contents = chosen.iter().map(|path| fs::read(folder.join(path))).collect::<Result<Vec<_>, _>>()?;
    let files: Vec<SourceFile<'_>> =
        chosen.iter().zip(&contents).map(|(path, bytes)| SourceFile { path, bytes }).collect();

    let built = build(&files, &config, &mut |_, _| {})?;
    fs::write(blob, &built.blob)?;
    if let [knowledge] = rest {
        // It holds the private rules: never upload it with the page.
        fs::write(knowledge, &built.knowledge)?;
    }
    let report = &built.report;
    println!("{} sections, {} of them pinned, {} bytes", report.sections, report.pinned_sections, report.blob_bytes);
    Ok(())
}

/// All files below a folder, relative to `root`, with forward slashes.
fn walk(root: &Path, folder: &Path, out: &mut Vec<String>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            walk(root, &path, out)?;
        } else {
            let relative = path.strip_prefix(root)?.to_str().ok_or("a file name that is not Unicode")?;
            out.push(relative.replace('\\', "/"));
        }
    }
    Ok(())
}
