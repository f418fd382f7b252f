//! The laws of `docs/design.md`, each as properties that try to break it.

#![cfg(not(target_arch = "wasm32"))]

#[path = "../kit/damage.rs"]
mod damage;
#[path = "../kit/mod.rs"]
mod kit;

mod budget;
mod cutting;
mod explain;
mod outside_bytes;
mod pinned;
mod reproducible;
mod sites;
