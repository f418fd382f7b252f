//! Packs for questions: one line of JSON each, with the ids that are sent, their tokens and their scores.
//!
//! ```sh
//! cargo run --example pack -- KNOWLEDGE.pinpack "can I get a refund?" "who is Remi?"
//! ```

use std::error::Error;
use std::{env, fs};

use pinpack::{Message, Pinpack};
use serde_json::json;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let blob = args.next().ok_or("wanted KNOWLEDGE.pinpack \"question\" …")?;
    let kb = Pinpack::open(fs::read(blob)?)?;
    for question in args {
        let pack = kb.pack(&[Message::user(&question)], None)?;
        let scores: Vec<f64> = pack.sections.iter().map(|section| f64::from(section.score)).collect();
        println!("{}", json!({ "question": question, "ids": pack.ids(), "tokens": pack.tokens, "scores": scores }));
    }
    Ok(())
}
