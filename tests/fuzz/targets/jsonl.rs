#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pinpack_fuzz::jsonl(data));
