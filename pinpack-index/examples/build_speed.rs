//! Where the time of a build goes: builds a folder some times and prints, as JSON, a list of the milliseconds of each.
//!
//! ```sh
//! cargo run --profile bench -p pinpack-index --example build_speed --features build -- FOLDER ROUNDS
//! ```

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use pinpack_index::{Builder, Config, SourceFile, select};

/// Processor time of this thread: on a machine that does other things too it says more than the wall's.
#[cfg(unix)]
fn now() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}

#[cfg(not(unix))]
fn now() -> f64 {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed().as_secs_f64() * 1e3
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [folder, rounds] = &args[..] else { return Err("wanted FOLDER ROUNDS".into()) };
    let folder = Path::new(folder);
    let config = Config::parse(&fs::read_to_string(folder.join("pinpack.toml")).unwrap_or_default())?;
    let mut paths = Vec::new();
    walk(folder, folder, &mut paths)?;
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let chosen = select(&paths, &config)?;
    let contents = chosen.iter().map(|path| fs::read(folder.join(path))).collect::<Result<Vec<_>, _>>()?;
    let files: Vec<SourceFile<'_>> =
        chosen.iter().zip(&contents).map(|(path, bytes)| SourceFile { path, bytes }).collect();
    let bytes: usize = contents.iter().map(Vec::len).sum();
    let rounds = (0..rounds.parse()?).map(|_| round(&files, &config)).collect::<Result<Vec<_>, _>>()?;
    println!("{}", serde_json::json!({ "bytes": bytes, "rounds": rounds }));
    Ok(())
}

/// One build from nothing.
fn round(files: &[SourceFile<'_>], config: &Config) -> Result<serde_json::Value, Box<dyn Error>> {
    let mut builder = Builder::with_clock(now);
    let start = now();
    let (built, _) = builder.build(files, &[], config, &mut |_, _| {})?;
    let total = now() - start;
    let mut times = serde_json::to_value(builder.times())?;
    times["total"] = total.into();
    times["sections"] = built.report.sections.into();
    Ok(times)
}

/// The paths of all files below a folder, relative to `root`, with forward slashes.
fn walk(root: &Path, folder: &Path, out: &mut Vec<String>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            walk(root, &path, out)?;
        } else if let Some(relative) = path.strip_prefix(root)?.to_str() {
            out.push(relative.replace('\\', "/"));
        }
    }
    Ok(())
}
