//! With the feature `baked`: builds the knowledge base of `PINPACK_SOURCES` into `OUT_DIR`.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=PINPACK_SOURCES");
    #[cfg(feature = "baked")]
    if let Err(message) = baked::bake() {
        // Printed by cargo as the reason why the build failed.
        println!("cargo::error={}", message.replace('\n', "; "));
    }
}

#[cfg(feature = "baked")]
mod baked {
    use pinpack_index::{Config, SourceFile, build, select};
    use std::path::{Path, PathBuf};
    use std::{env, fs};

    /// Reads the sources, builds, writes `OUT_DIR/knowledge.pinpack`.
    pub fn bake() -> Result<(), String> {
        let sources = env::var("PINPACK_SOURCES")
            .map_err(|_| "PINPACK_SOURCES is not set: wanted the absolute path of a folder or of a pinpack.toml")?;
        let (folder, config) = open(Path::new(&sources))?;
        let mut paths = Vec::new();
        walk(&folder, &folder, &mut paths)?;
        let names: Vec<&str> = paths.iter().map(String::as_str).collect();
        let chosen = select(&names, &config).map_err(|error| error.to_string())?;
        let read = |path: &&str| {
            println!("cargo::rerun-if-changed={}", folder.join(path).display());
            fs::read(folder.join(path)).map_err(|error| format!("{path}: {error}"))
        };
        let contents = chosen.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let files: Vec<SourceFile<'_>> =
            chosen.iter().zip(&contents).map(|(path, bytes)| SourceFile { path, bytes }).collect();
        let built = build(&files, &config, &mut |_, _| {}).map_err(|error| format!("[{}] {error}", error.code()))?;
        let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?).join("knowledge.pinpack");
        fs::write(&out, built.blob).map_err(|error| format!("{}: {error}", out.display()))
    }

    fn open(sources: &Path) -> Result<(PathBuf, Config), String> {
        println!("cargo::rerun-if-changed={}", sources.display());
        let named = sources.extension().is_some_and(|extension| extension == "toml");
        let folder = if named { sources.parent().unwrap_or(Path::new(".")) } else { sources };
        let file = if named { sources.to_path_buf() } else { folder.join("pinpack.toml") };
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(_) if !named && folder.is_dir() => String::new(),
            Err(error) => return Err(format!("PINPACK_SOURCES: {}: {error}", file.display())),
        };
        let config = Config::parse(&text).map_err(|error| format!("[{}] {error}", error.code()))?;
        Ok((folder.to_path_buf(), config))
    }

    /// All files below a folder, relative, with forward slashes; hidden folders, `node_modules` and links are passed over.
    fn walk(root: &Path, folder: &Path, out: &mut Vec<String>) -> Result<(), String> {
        println!("cargo::rerun-if-changed={}", folder.display());
        let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for entry in entries {
            let entry = entry.map_err(|error| format!("{}: {error}", folder.display()))?;
            let (path, name) = (entry.path(), entry.file_name());
            let kind = entry.file_type().map_err(|error| format!("{}: {error}", path.display()))?;
            let hidden = name.to_string_lossy().starts_with('.') || name == "node_modules" || name == "target";
            if kind.is_dir() && !hidden {
                walk(root, &path, out)?;
            } else if kind.is_file()
                && let Some(relative) = path.strip_prefix(root).ok().and_then(Path::to_str)
            {
                out.push(relative.replace('\\', "/"));
            }
        }
        Ok(())
    }
}
