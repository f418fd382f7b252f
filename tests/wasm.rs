//! The engine in a browser: right answers, the same as native to the bit; bad bytes are errors; packing keeps no memory.

#![cfg(target_arch = "wasm32")]

#[path = "blobs/answers.rs"]
mod answers;
#[path = "kit/damage.rs"]
mod damage;
#[path = "kit/slow.rs"]
mod slow;

use std::arch::wasm32::memory_size;

use answers::Answers;
use damage::{HEADER, Parts};
use js_sys::{Array, Error, Float64Array, Function, Reflect, Uint8Array};
use pinpack::{Message, Pinpack};
use serde::Deserialize;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

static BLOB: &[u8] = include_bytes!("blobs/format-1.pinpack");

/// What the native engine packs of the same blob for the same questions, a line of JSON each.
static NATIVE: &str = include_str!(env!("PINPACK_NATIVE_PACKS", "`npm test -- --only wasm` makes this file first"));

#[derive(Deserialize)]
struct NativePack {
    question: String,
    ids: Vec<u32>,
    tokens: u32,
    scores: Vec<f32>,
}

#[wasm_bindgen_test]
fn gives_every_answer() {
    Answers::read().assert_given_by(&Pinpack::open(BLOB).unwrap());
}

#[wasm_bindgen_test]
fn packs_as_native_does_to_the_bit() {
    let kb = Pinpack::open(BLOB).unwrap();
    let native: Vec<NativePack> = NATIVE.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(native.iter().map(|pack| &pack.question).collect::<Vec<_>>(), questions().iter().collect::<Vec<_>>());
    for NativePack { question, ids, tokens, scores } in native {
        let pack = kb.pack(&[Message::user(&question)], None).unwrap();
        assert_eq!((pack.ids(), pack.tokens), (ids, tokens), "{question}");
        let bits = |scores: &[f32]| scores.iter().map(|score| score.to_bits()).collect::<Vec<_>>();
        let found: Vec<f32> = pack.sections.iter().map(|entry| entry.score).collect();
        assert_eq!(bits(&found), bits(&scores), "{question}: {found:?}, natively {scores:?}");
    }
}

#[wasm_bindgen_test]
fn damaged_bytes_are_errors_or_values() {
    for length in 0..BLOB.len() {
        assert!(Pinpack::open(BLOB[..length].to_vec()).is_err());
    }
    let (parts, mut opened) = (Parts::of(BLOB), 0);
    for at in 0..parts.body.len() {
        let mut bytes = BLOB.to_vec();
        bytes[HEADER + at] ^= 1 << (at % 8);
        assert_eq!(Pinpack::open(bytes).err().map(|error| error.code()), Some("blob-damaged"));
        let mut damaged = parts.clone();
        damaged.body[at] ^= 1 << (at % 8);
        let Ok(kb) = Pinpack::open(damaged.sealed()) else { continue };
        opened += 1;
        let messages = [Message::user("when is the boat? 退款 curl")];
        let _ = (kb.pack(&messages, None), kb.explain(&messages, Some(u32::MAX)), kb.rank(&messages, 9), kb.stats());
        (0..20).for_each(|id| drop(kb.section(id)));
    }
    assert!(opened > 100, "only {opened} were read");
}

#[wasm_bindgen_test]
fn a_thousand_packs_keep_no_memory() {
    let kb = Pinpack::open(BLOB).unwrap();
    let questions = questions();
    let pack = || questions.iter().for_each(|question| drop(kb.explain(&[Message::user(question)], None)));
    pack();
    let before = memory_size(0);
    (0..1000).for_each(|_| pack());
    assert_eq!(memory_size(0), before);
}

#[wasm_bindgen_test]
async fn the_binding_packs_what_the_engine_packs() {
    let engine = open(&binding().await, BLOB).unwrap();
    let kb = Pinpack::open(BLOB).unwrap();
    for question in questions() {
        let pack = kb.pack(&[Message::user(&question)], None).unwrap();
        let conversation = format!("u{question}");
        let packed = call(&engine, "pack", &[conversation.clone().into(), JsValue::UNDEFINED, false.into()]).unwrap();
        // Tokens, budget, coverage, level; how many terms, sections and left sections; five numbers a term; then the sections.
        let numbers = packed.unchecked_into::<Array>().get(0).unchecked_into::<Float64Array>().to_vec();
        assert_eq!((numbers[0], numbers[5]), (f64::from(pack.tokens), pack.sections.len() as f64));
        let mut at = 7 + numbers[4] as usize * 5;
        for entry in &pack.sections {
            assert_eq!(
                numbers[at..at + 4],
                [f64::from(entry.id), f64::from(entry.tokens), entry.why as u8 as f64, entry.score.into()]
            );
            at += 5 + entry.parts.len() * 4;
        }
        let ranked =
            call(&engine, "rank", &[conversation.into(), 9.into()]).unwrap().unchecked_into::<Float64Array>().to_vec();
        let hits = kb.rank(&[Message::user(&question)], 9);
        assert_eq!(ranked, hits.iter().flat_map(|hit| [f64::from(hit.id), f64::from(hit.score)]).collect::<Vec<_>>());
    }
}

#[wasm_bindgen_test]
async fn the_bindings_errors_have_their_codes() {
    let binding = binding().await;
    let code = |error: JsValue| {
        assert!(error.is_instance_of::<Error>());
        Reflect::get(&error, &"code".into()).unwrap().as_string().unwrap()
    };
    assert_eq!(code(open(&binding, b"<!doctype html>").unwrap_err()), "blob-magic");
    assert_eq!(code(open(&binding, &BLOB[..100]).unwrap_err()), "blob-truncated");
    for bit in 0..HEADER * 8 {
        let mut bytes = BLOB.to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(code(open(&binding, &bytes).unwrap_err()).starts_with("blob-"), "bit {bit} of the header");
    }
    let engine = open(&binding, BLOB).unwrap();
    let packed = call(&engine, "pack", &["uhi".into(), 10.into(), false.into()]);
    assert_eq!(code(packed.unwrap_err()), "budget-too-small");
}

#[wasm_bindgen_test]
async fn the_module_fetches_its_own_blob() {
    let binding = binding().await;
    let address = Function::new_with_args("bytes", "return URL.createObjectURL(new Blob([bytes]))");
    let address = address.call1(&JsValue::UNDEFINED, &Uint8Array::from(BLOB)).unwrap();
    let response = wait(call(&binding, "fetchBlob", &[address]).unwrap()).await;
    let bytes = wait(call(&response, "arrayBuffer", &[]).unwrap()).await;
    assert_eq!(Uint8Array::new(&bytes).to_vec(), BLOB);
}

fn questions() -> Vec<String> {
    Answers::read().answers.into_iter().map(|answer| answer.question).collect()
}

/// The module that wasm-bindgen made of this test, with the binding's exports in it.
async fn binding() -> JsValue {
    let import = Function::new_no_args("return import('/wasm-bindgen-test')");
    wait(import.call0(&JsValue::UNDEFINED).unwrap()).await
}

async fn wait(promise: JsValue) -> JsValue {
    JsFuture::from(promise.unchecked_into::<js_sys::Promise>()).await.unwrap()
}

fn open(binding: &JsValue, bytes: &[u8]) -> Result<JsValue, JsValue> {
    let engine = Reflect::get(binding, &"Engine".into())?;
    call(&engine, "open", &[Uint8Array::from(bytes).into()])
}

fn call(object: &JsValue, method: &str, args: &[JsValue]) -> Result<JsValue, JsValue> {
    let method = Reflect::get(object, &method.into())?.unchecked_into::<Function>();
    method.apply(object, &args.iter().collect::<Array>())
}
