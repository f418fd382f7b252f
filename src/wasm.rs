//! The JavaScript bindings: converts, decides nothing.
//!
//! What crosses is text and typed arrays, laid out as each function says; `www/binding.ts` gives them names. A visitor downloads this
//! file: passing objects instead, by serde, costs 5 KB more.

#![allow(missing_docs, reason = "the macro generates undocumented items")]

use js_sys::{Array, Float64Array, Reflect, Uint8Array};
use pinpack_index::{ANALYZER, Blob, FORMAT, Load, Paged, parted};
use wasm_bindgen::prelude::*;
use web_sys::Request;

use crate::{Entry, Message, Pack, Pinpack, Role};

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// Prints panics to the console in debug builds.
#[wasm_bindgen(start)]
fn start() {
    #[cfg(debug_assertions)]
    console_error_panic_hook::set_once();
}

/// A knowledge base: its body in the module's memory, the rest where the page keeps it.
#[wasm_bindgen]
pub struct Engine(Pinpack<Paged<File>>);

/// A blob outside the module's memory.
struct File(Uint8Array);

impl Load for File {
    fn load(&self, start: usize, end: usize) -> Vec<u8> {
        self.0.subarray(start as u32, end as u32).to_vec()
    }
}

#[wasm_bindgen]
impl Engine {
    /// Opens a blob. Its bytes stay where they are, and must not change: the engine reads them when a question needs them. Its texts
    /// are read by the caller: [`Engine::place`] says where they are.
    pub fn open(bytes: Uint8Array) -> Result<Engine, JsValue> {
        let length = bytes.length() as usize;
        let blob = Blob::open_paged(File(bytes), length);
        #[cfg(feature = "languages")]
        let blob = blob.inspect(|blob| languages::hear(blob.language(), blob.languages()));
        blob.map(|blob| Self(Pinpack::of(blob))).map_err(|error| coded(error.code(), &error.message()))
    }

    /// Is everything that was read so far what was built? The calls below go on with what they have where it is not.
    pub fn whole(&self) -> bool {
        !self.0.blob().store().is_damaged()
    }

    /// Are the texts those that the blob was built with?
    pub fn checks(&self) -> bool {
        self.0.blob().has_whole_texts()
    }

    /// Hash, language, encoding and site, a line each.
    pub fn texts(&self) -> String {
        let (blob, mut out) = (self.0.blob(), String::new());
        for text in [&blob.hash().to_hex(), blob.language(), blob.encoding(), blob.site()] {
            close(&mut out, text, '\n');
        }
        out
    }

    /// Format and analyzer; sections, pinned sections, terms, bytes; tokens of all and of the pinned sections; budget and floor.
    pub fn numbers(&self) -> Vec<u32> {
        let s = self.0.stats();
        let [sections, pinned, terms, bytes] = [s.sections, s.pinned, s.terms, s.bytes].map(|count| count as u32);
        vec![FORMAT, ANALYZER, sections, pinned, terms, bytes, s.tokens, s.pinned_tokens, s.budget, s.floor]
    }

    /// Id and score of the best sections, in turn. The conversation is laid out as [`messages`] says.
    pub fn rank(&self, conversation: &str, limit: usize) -> Vec<f64> {
        let mut out = Vec::new();
        for hit in self.0.rank(&messages(conversation), limit) {
            push(&mut out, &[f64::from(hit.id), f64::from(hit.score)]);
        }
        out
    }

    /// What one request sends; with `explain` also every section that it does not: `[numbers, text]`.
    ///
    /// Numbers: tokens, budget, coverage, its level; how many terms, sections and left sections follow; each term's weight, idf, df,
    /// message and origin; each section's id, tokens, reason, score, number of parts, and each part's term, tf, score and title's
    /// share. Reason, level and origin are places in their enums. Text: a line for each term with its word behind a tab, then a line for each missing word.
    pub fn pack(&self, conversation: &str, budget: Option<u32>, explain: bool) -> Result<Array, JsValue> {
        let pack = crate::pack::pack(&self.0, &messages(conversation), budget, explain);
        let pack = pack.map_err(|error| coded(error.code(), &error.message()))?;
        Ok(Array::of2(&Float64Array::from(&numbers(&pack)[..]), &text(&pack).into()))
    }

    /// The owner's id of a section; empty for an id that does not exist.
    pub fn reference(&self, id: u32) -> String {
        self.0.blob().reference(id)
    }

    /// Ref, title, url and the elements of the heading path, each closed by a zero character; empty for an id that does not exist.
    pub fn meta(&self, id: u32) -> String {
        let mut out = String::new();
        if let Some(meta) = self.0.blob().meta(id) {
            close(&mut out, &meta.reference, '\0');
            close(&mut out, &meta.title, '\0');
            close(&mut out, &meta.url, '\0');
            meta.path.iter().for_each(|heading| close(&mut out, heading, '\0'));
        }
        out
    }

    /// Where the text of a section begins and ends in the blob (nothing between for a pinned one that is not published); its tokens;
    /// 1 when it is pinned.
    pub fn place(&self, id: u32) -> Vec<u32> {
        let blob = self.0.blob();
        let span = blob.text_span(id);
        vec![span.start as u32, span.end as u32, blob.tokens(id), u32::from(blob.is_pinned(id))]
    }
}

/// For each sentence the share of the question that it holds; the sentences are parted by zero characters.
#[wasm_bindgen]
pub fn weigh(conversation: &str, sentences: &str, language: &str) -> Vec<f32> {
    #[cfg(not(feature = "languages"))]
    return crate::weigh(&messages(conversation), &parted(sentences, 0), language);
    #[cfg(feature = "languages")]
    crate::quote::weigh_by(&messages(conversation), &parted(sentences, 0), &languages::heard(language))
}

/// Passages are weighed without a blob: what the opened ones said of their languages is kept.
#[cfg(feature = "languages")]
mod languages {
    use std::cell::RefCell;

    use pinpack_index::Analyzer;

    thread_local! {
        /// Tags and records.
        static HEARD: RefCell<Vec<(String, Vec<u8>)>> = const { RefCell::new(Vec::new()) };
    }

    pub(super) fn hear(tags: &str, records: &[u8]) {
        HEARD.with_borrow_mut(|heard| {
            heard.retain(|(known, _)| known != tags);
            heard.push((tags.to_string(), records.to_vec()));
        });
    }

    pub(super) fn heard(tags: &str) -> Analyzer {
        HEARD.with_borrow(|heard| {
            let records = heard.iter().find(|(known, _)| known == tags).map_or(&[][..], |(_, records)| records);
            Analyzer::with(tags, records)
        })
    }
}

/// Fetches a blob by its address: a promise of its response.
#[wasm_bindgen(js_name = fetchBlob)]
pub fn fetch_blob(url: &str) -> Result<JsValue, JsValue> {
    Request::new_with_str(url).map(|request| fetch(&request))
}

#[wasm_bindgen]
extern "C" {
    /// The page's, or the worker's.
    fn fetch(request: &Request) -> JsValue;
}

/// The messages of a conversation: each begins with `u` for the visitor or `a` for the assistant; they are parted by zero characters.
fn messages(conversation: &str) -> Vec<Message<'_>> {
    fn message(text: &str) -> Message<'_> {
        let role = if text.starts_with('u') { Role::User } else { Role::Assistant };
        Message { role, content: text.get(1..).unwrap_or("") }
    }
    parted(conversation, 0).into_iter().map(message).collect()
}

fn numbers(pack: &Pack) -> Vec<f64> {
    let mut out = Vec::new();
    let coverage = &pack.coverage;
    push(
        &mut out,
        &[f64::from(pack.tokens), f64::from(pack.budget), f64::from(coverage.value), f64::from(coverage.level as u8)],
    );
    push(&mut out, &[pack.terms.len() as f64, pack.sections.len() as f64, pack.left.len() as f64]);
    for term in &pack.terms {
        push(&mut out, &[f64::from(term.weight), f64::from(term.idf), f64::from(term.df)]);
        push(&mut out, &[f64::from(term.message), f64::from(term.origin as u8)]);
    }
    for Entry { id, tokens, why, score, parts } in pack.sections.iter().chain(&pack.left) {
        let (why, count) = (f64::from(*why as u8), parts.len() as f64);
        push(&mut out, &[f64::from(*id), f64::from(*tokens), why, f64::from(*score), count]);
        for part in parts {
            push(&mut out, &[f64::from(part.term), f64::from(part.tf), f64::from(part.score), f64::from(part.title)]);
        }
    }
    out
}

#[inline(never)]
fn push(out: &mut Vec<f64>, numbers: &[f64]) {
    out.extend_from_slice(numbers);
}

fn text(pack: &Pack) -> String {
    let mut out = String::new();
    for term in &pack.terms {
        close(&mut out, &term.term, '\t');
        close(&mut out, &term.word, '\n');
    }
    pack.coverage.missing.iter().for_each(|word| close(&mut out, word, '\n'));
    out
}

/// Appends a text and the character that closes it.
#[inline(never)]
fn close(out: &mut String, text: &str, end: char) {
    out.push_str(text);
    out.push(end);
}

/// A JavaScript error with a stable code.
fn coded(code: &str, message: &str) -> JsValue {
    let error = JsValue::from(js_sys::Error::new(message));
    // An error object takes any property.
    let _ = Reflect::set(&error, &"code".into(), &code.into());
    error
}

#[cfg(feature = "build")]
#[allow(clippy::needless_pass_by_value, reason = "what crosses from JavaScript is owned")]
mod building {
    use super::{Array, JsValue, Reflect, Uint8Array, coded, wasm_bindgen};
    use js_sys::Function;
    use serde::Serialize;
    use wasm_bindgen::JsCast;

    use crate::build::{BuildError, Built, Changes, Config, SourceFile, Unread};

    /// Those of `paths` that the configuration reads, sorted.
    #[wasm_bindgen]
    pub fn select(paths: Vec<String>, config: &str) -> Result<Vec<String>, JsValue> {
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let config = Config::parse(config).map_err(failed)?;
        let chosen = crate::build::select(&paths, &config).map_err(failed)?;
        Ok(chosen.into_iter().map(str::to_string).collect())
    }

    /// A config with other values for some keys, such as `sections.target`; keys and values stand in turn.
    #[wasm_bindgen]
    pub fn configure(config: &str, settings: Vec<String>) -> Result<String, JsValue> {
        let pairs: Vec<(&str, &str)> =
            settings.chunks_exact(2).map(|pair| (pair[0].as_str(), pair[1].as_str())).collect();
        crate::build::configure(config, &pairs).map_err(failed)
    }

    /// Builds knowledge bases, reading only the files that changed since the build before.
    #[wasm_bindgen]
    #[derive(Default)]
    pub struct Builder(crate::build::Builder);

    #[wasm_bindgen]
    impl Builder {
        /// One that has read nothing yet.
        #[wasm_bindgen(constructor)]
        #[must_use]
        pub fn new() -> Self {
            Self::default()
        }

        /// One that measures its builds.
        #[must_use]
        pub fn timed() -> Self {
            Self(crate::build::Builder::with_clock(now))
        }

        /// Where the time of the last build went, in milliseconds.
        pub fn times(&self) -> Result<JsValue, JsValue> {
            Ok(self.0.times().serialize(&serde_wasm_bindgen::Serializer::new())?)
        }

        /// Builds a knowledge base from `{ path, bytes }` objects, and `{ path, unread }` for a file that could not be had.
        pub fn build(&mut self, files: &Array, config: &str, progress: Option<Function>) -> Result<JsValue, JsValue> {
            let config = Config::parse(config).map_err(failed)?;
            let owned = files.iter().map(|file| read(&file)).collect::<Result<Vec<_>, _>>()?;
            let (mut files, mut unread) = (Vec::new(), Vec::new());
            for (path, given) in &owned {
                match given {
                    Given::Bytes(bytes) => files.push(SourceFile { path, bytes }),
                    Given::Unread(reason) => unread.push(Unread { path, reason }),
                }
            }
            let (built, changes) = self
                .0
                .build(&files, &unread, &config, &mut |done, total| {
                    if let Some(progress) = &progress {
                        // A progress bar that throws does not stop a build.
                        let _ = progress.call2(&JsValue::UNDEFINED, &done.into(), &total.into());
                    }
                })
                .map_err(failed)?;
            result(&built, &changes)
        }
    }

    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_namespace = performance)]
        fn now() -> f64;
    }

    /// What is known of a file.
    enum Given {
        Bytes(Vec<u8>),
        /// Why it could not be had.
        Unread(String),
    }

    fn read(file: &JsValue) -> Result<(String, Given), JsValue> {
        let wrong = || coded("files-invalid", "files: wanted a list of { path: string, bytes: Uint8Array }");
        let field = |name: &str| Reflect::get(file, &name.into()).ok();
        let path = field("path").and_then(|path| path.as_string()).ok_or_else(wrong)?;
        if let Some(reason) = field("unread").and_then(|reason| reason.as_string()) {
            return Ok((path, Given::Unread(reason)));
        }
        let bytes = field("bytes").and_then(|bytes| bytes.dyn_into::<Uint8Array>().ok());
        Ok((path, Given::Bytes(bytes.ok_or_else(wrong)?.to_vec())))
    }

    fn result(built: &Built, changes: &Changes) -> Result<JsValue, JsValue> {
        let out = js_sys::Object::new();
        let plain = serde_wasm_bindgen::Serializer::new();
        Reflect::set(&out, &"blob".into(), &Uint8Array::from(&built.blob[..]))?;
        Reflect::set(&out, &"knowledge".into(), &built.knowledge.as_str().into())?;
        Reflect::set(&out, &"report".into(), &built.report.serialize(&plain)?)?;
        Reflect::set(&out, &"changes".into(), &changes.serialize(&plain)?)?;
        Ok(out.into())
    }

    fn failed(error: BuildError) -> JsValue {
        coded(error.code(), &error.to_string())
    }
}
