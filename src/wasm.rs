//! The JavaScript bindings: converts, decides nothing.

#![allow(missing_docs, reason = "the macro generates undocumented items")]

use js_sys::{Array, Function, JsString, Promise, Reflect, Uint8Array};
use pinpack_index::{ANALYZER, FORMAT};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::{Message, PackError, Pinpack, Role};

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// Prints panics to the console in debug builds.
#[wasm_bindgen(start)]
fn start() {
    #[cfg(debug_assertions)]
    console_error_panic_hook::set_once();
}

/// A knowledge base in the module's memory.
#[wasm_bindgen]
pub struct Engine(Pinpack);

#[wasm_bindgen]
impl Engine {
    /// Opens the bytes of a blob.
    pub fn open(bytes: &Uint8Array) -> Result<Engine, JsValue> {
        let mut own = vec![0; bytes.length() as usize];
        bytes.copy_to(&mut own);
        Pinpack::open(own).map(Self).map_err(|error| coded(error.code(), &error.to_string()))
    }

    /// Fetches a blob by its address and opens it.
    pub fn fetch(url: &str) -> Promise {
        let url = JsString::from(url);
        js_sys::futures::future_to_promise(async move {
            let fetch: Function = Reflect::get(&js_sys::global(), &"fetch".into())?.dyn_into()?;
            let response: web_sys::Response = wait(fetch.call1(&JsValue::UNDEFINED, &url)?).await?.dyn_into()?;
            if !response.ok() {
                let message = format!("{} answered {}: check its address", response.url(), response.status());
                return Err(coded("fetch-failed", &message));
            }
            let bytes = wait(response.array_buffer()?.into()).await?;
            Engine::open(&Uint8Array::new(&bytes)).map(JsValue::from)
        })
    }

    /// What the knowledge base is made of.
    pub fn stats(&self) -> Result<JsValue, JsValue> {
        to_js(&self.0.stats())
    }

    /// Ids and scores of the best sections, in turn.
    pub fn rank(&self, messages: &JsValue, limit: usize) -> Result<Vec<f64>, JsValue> {
        let messages = Messages::read(messages)?;
        let hits = self.0.rank(&messages.borrow(), limit);
        Ok(hits.iter().flat_map(|hit| [f64::from(hit.id), f64::from(hit.score)]).collect())
    }

    /// The owner's id of a section.
    pub fn reference(&self, id: u32) -> String {
        self.0.blob().reference(id)
    }

    /// What one request sends.
    pub fn pack(&self, messages: &JsValue, budget: Option<u32>) -> Result<JsValue, JsValue> {
        let messages = Messages::read(messages)?;
        to_js(&self.0.pack(&messages.borrow(), budget).map_err(refused)?)
    }

    /// The same with every score in parts and every section left out.
    pub fn explain(&self, messages: &JsValue, budget: Option<u32>) -> Result<JsValue, JsValue> {
        let messages = Messages::read(messages)?;
        to_js(&self.0.explain(&messages.borrow(), budget).map_err(refused)?)
    }

    /// One section with its text; `undefined` for an id that does not exist.
    pub fn section(&self, id: u32) -> Result<JsValue, JsValue> {
        self.0.section(id).map_or(Ok(JsValue::UNDEFINED), |section| to_js(&section))
    }
}

/// The sentences of passages that answer best.
#[wasm_bindgen]
pub fn quote(messages: &JsValue, passages: Vec<String>, language: &str, limit: usize) -> Result<JsValue, JsValue> {
    let messages = Messages::read(messages)?;
    let passages: Vec<&str> = passages.iter().map(String::as_str).collect();
    to_js(&crate::quote(&messages.borrow(), &passages, language, limit))
}

/// The format that this module reads and its analyzer.
#[wasm_bindgen]
pub fn versions() -> Vec<u32> {
    vec![FORMAT, ANALYZER]
}

/// Messages as they came from JavaScript.
struct Messages(Vec<(Role, String)>);

impl Messages {
    fn read(value: &JsValue) -> Result<Self, JsValue> {
        let wrong = || coded("messages-invalid", "messages: wanted a list of { role: 'user' | 'assistant', content: string }");
        let list: &Array = value.dyn_ref().ok_or_else(wrong)?;
        let (role, content) = (JsValue::from("role"), JsValue::from("content"));
        let read = |message: JsValue| {
            let text = |key| Reflect::get(&message, key).ok().and_then(|value| value.as_string());
            let role = if text(&role)? == "user" { Role::User } else { Role::Assistant };
            Some((role, text(&content)?))
        };
        list.iter().map(|message| read(message).ok_or_else(wrong)).collect::<Result<_, _>>().map(Self)
    }

    fn borrow(&self) -> Vec<Message<'_>> {
        self.0.iter().map(|(role, content)| Message { role: *role, content }).collect()
    }
}

async fn wait(promise: JsValue) -> Result<JsValue, JsValue> {
    js_sys::futures::JsFuture::from(promise.unchecked_into::<Promise>()).await
}

fn to_js(value: &impl Serialize) -> Result<JsValue, JsValue> {
    value.serialize(&serde_wasm_bindgen::Serializer::new()).map_err(JsValue::from)
}

fn refused(error: PackError) -> JsValue {
    coded(error.code(), &error.to_string())
}

/// A JavaScript error with a stable code.
fn coded(code: &str, message: &str) -> JsValue {
    let error = JsValue::from(js_sys::Error::new(message));
    // An error object takes any property.
    let _ = Reflect::set(&error, &"code".into(), &code.into());
    error
}

#[cfg(feature = "build")]
mod building {
    use super::*;
    use crate::build::{BuildError, Config, Report, SourceFile};

    /// Those of `paths` that the configuration reads, sorted.
    #[wasm_bindgen]
    pub fn select(paths: Vec<String>, config: &str) -> Result<Vec<String>, JsValue> {
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let config = Config::parse(config).map_err(failed)?;
        let chosen = crate::build::select(&paths, &config).map_err(failed)?;
        Ok(chosen.into_iter().map(str::to_string).collect())
    }

    /// Builds a knowledge base from `{ path, bytes }` objects.
    #[wasm_bindgen]
    pub fn build(files: &Array, config: &str, progress: Option<Function>) -> Result<JsValue, JsValue> {
        let config = Config::parse(config).map_err(failed)?;
        let owned = files.iter().map(|file| read(&file)).collect::<Result<Vec<_>, _>>()?;
        let files: Vec<SourceFile<'_>> = owned.iter().map(|(path, bytes)| SourceFile { path, bytes }).collect();
        let built = crate::build::build(&files, &config, &mut |done, total| {
            if let Some(progress) = &progress {
                // A progress bar that throws does not stop a build.
                let _ = progress.call2(&JsValue::UNDEFINED, &done.into(), &total.into());
            }
        });
        let built = built.map_err(failed)?;
        result(&built.blob, &built.knowledge, &built.report)
    }

    fn read(file: &JsValue) -> Result<(String, Vec<u8>), JsValue> {
        let wrong = || coded("files-invalid", "files: wanted a list of { path: string, bytes: Uint8Array }");
        let path = Reflect::get(file, &"path".into()).ok().and_then(|path| path.as_string()).ok_or_else(wrong)?;
        let bytes = Reflect::get(file, &"bytes".into()).ok().and_then(|bytes| bytes.dyn_into::<Uint8Array>().ok());
        Ok((path, bytes.ok_or_else(wrong)?.to_vec()))
    }

    fn result(blob: &[u8], knowledge: &str, report: &Report) -> Result<JsValue, JsValue> {
        let out = js_sys::Object::new();
        Reflect::set(&out, &"blob".into(), &Uint8Array::from(blob))?;
        Reflect::set(&out, &"knowledge".into(), &knowledge.into())?;
        Reflect::set(&out, &"report".into(), &to_js(report)?)?;
        Ok(out.into())
    }

    fn failed(error: BuildError) -> JsValue {
        coded(error.code(), &error.to_string())
    }
}
