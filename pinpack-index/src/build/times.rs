//! Where the time of a build goes, by a clock that is passed in.

use std::cell::Cell;

use serde::Serialize;

/// Gives the time in milliseconds from any fixed point, never going back.
pub type Clock = fn() -> f64;

/// What a build did, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Reading,
    Cutting,
    Counting,
    Indexing,
    Encoding,
    Reporting,
}

/// Milliseconds of one build by what was done, and what was counted; all 0 without a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Times {
    /// Files to blocks: comparing with the build before, decoding, reading.
    pub reading: f64,
    /// Blocks to sections, without counting.
    pub cutting: f64,
    /// Counting tokens.
    pub counting: f64,
    /// Sections to postings.
    pub indexing: f64,
    /// The blob and the proxy's file, and their hash.
    pub encoding: f64,
    /// The report.
    pub reporting: f64,
    /// Bytes whose tokens were counted: a text that is cut is counted more than once.
    pub counted_bytes: u64,
    /// Their tokens.
    pub counted_tokens: u64,
}

/// Adds up times.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    clock: Option<Clock>,
    times: Cell<Times>,
}

impl Watch {
    pub fn new(clock: Option<Clock>) -> Self {
        Self { clock, times: Cell::default() }
    }

    pub fn times(&self) -> Times {
        self.times.get()
    }

    /// Does something and adds its time to a stage, less what it counted.
    pub fn time<T>(&self, stage: Stage, act: impl FnOnce() -> T) -> T {
        let Some(clock) = self.clock else { return act() };
        let (start, counting) = (clock(), self.times.get().counting);
        let out = act();
        let mut times = self.times.get();
        *times.of(stage) += clock() - start - (times.counting - counting);
        self.times.set(times);
        out
    }

    /// Counts a text.
    pub fn count(&self, text: &str, count: impl FnOnce(&str) -> u32) -> u32 {
        let tokens = self.time(Stage::Counting, || count(text));
        let mut times = self.times.get();
        times.counted_bytes += text.len() as u64;
        times.counted_tokens += u64::from(tokens);
        self.times.set(times);
        tokens
    }
}

impl Times {
    fn of(&mut self, stage: Stage) -> &mut f64 {
        match stage {
            Stage::Reading => &mut self.reading,
            Stage::Cutting => &mut self.cutting,
            Stage::Counting => &mut self.counting,
            Stage::Indexing => &mut self.indexing,
            Stage::Encoding => &mut self.encoding,
            Stage::Reporting => &mut self.reporting,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    thread_local!(static NOW: Cell<f64> = const { Cell::new(0.0) });

    fn tick(ms: f64) {
        NOW.set(NOW.get() + ms);
    }

    #[test]
    fn time_of_a_stage_is_without_its_counting() {
        let watch = Watch::new(Some(|| NOW.get()));
        watch.time(Stage::Cutting, || {
            tick(5.0);
            watch.count("two words", |_| {
                tick(2.0);
                2
            });
            tick(1.0);
        });
        watch.time(Stage::Reading, || tick(4.0));
        let wanted = Times {
            reading: 4.0,
            cutting: 6.0,
            counting: 2.0,
            counted_bytes: 9,
            counted_tokens: 2,
            ..Times::default()
        };
        assert_eq!(watch.times(), wanted);
    }
}
