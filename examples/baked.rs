//! Answers from a knowledge base that is part of the program: no file, no network.
//!
//! ```sh
//! PINPACK_SOURCES=/path/to/site cargo run --example baked --features baked -- "can I get a refund?"
//! ```
//! In this repository `.cargo/config.toml` names the demo site.

use std::env;
use std::error::Error;

use pinpack::{Message, Pinpack, Why};

fn main() -> Result<(), Box<dyn Error>> {
    let question = env::args().nth(1).unwrap_or_else(|| "can I get a refund?".into());
    let kb = Pinpack::baked();
    let pack = kb.pack(&[Message::user(&question)], None)?;
    println!("{question} ({} of {} tokens)", pack.tokens, pack.budget);
    for entry in pack.sections.iter().filter(|entry| entry.why != Why::Floor) {
        println!("{:>6} tokens  {:6.2}  {}", entry.tokens, entry.score, kb.blob().reference(entry.id));
    }
    let best = pack.sections.iter().find(|entry| entry.why == Why::Scored);
    match best.and_then(|entry| kb.section(entry.id)).and_then(|section| section.text) {
        Some(text) => println!("\n{text}"),
        None => println!("\nNo section holds a word of the question."),
    }
    Ok(())
}
