//! Bytes to a program: jumps find their places, texts find the steps that name them.

/// Operations, by their byte; `scripts/stem-table.mjs` names them alike.
pub(super) mod op {
    pub const END: u8 = 0;
    pub const LOOP: u8 = 2;
    pub const FAIL: u8 = 3;
    pub const SUCCEED: u8 = 4;
    pub const EQUALS: u8 = 5;
    pub const EQUALS_BACK: u8 = 6;
    pub const EQUALS_TEXT: u8 = 7;
    pub const AMONG: u8 = 8;
    pub const AMONG_BACK: u8 = 9;
    pub const IN: u8 = 10;
    pub const GO_OUT_BACK: u8 = 17;
    pub const HOP: u8 = 18;
    pub const HOP_BACK: u8 = 19;
    pub const NEXT: u8 = 20;
    pub const PREVIOUS: u8 = 21;
    pub const SLICE: u8 = 22;
    pub const SLICE_BY: u8 = 23;
    pub const DELETE: u8 = 24;
    pub const KEEP: u8 = 25;
    pub const INSERT: u8 = 26;
    pub const INSERT_TEXT: u8 = 27;
    pub const CALL: u8 = 28;
    pub const MOVE: u8 = 29;
    pub const SET: u8 = 30;
    pub const LESS: u8 = 32;
    pub const LESS_EQUAL: u8 = 33;
    pub const SAME: u8 = 34;
    pub const IS: u8 = 35;
    pub const NOT: u8 = 36;
    /// A jump in any case; one more is a jump when the flag does not hold.
    pub const JUMP: u8 = 64;
    /// A jump when it holds.
    pub const JUMP_HOLDS: u8 = 66;
}

/// In a table of endings: the routine that has to hold, and the result, follow.
const WITH_ROUTINE: u8 = 255;

/// One operation.
pub(super) struct Step {
    pub op: u8,
    pub a: u8,
    pub b: u8,
    /// Where a jump goes; which text an operation names.
    pub to: u16,
}

/// An ending of a table.
pub(super) struct Among {
    pub text: String,
    pub result: i32,
    pub routine: Option<u8>,
}

/// A stemmer.
#[derive(Default)]
pub(super) struct Program {
    pub steps: Vec<Step>,
    /// First step of each routine; the last is the stemmer itself.
    pub routines: Vec<usize>,
    pub amongs: Vec<Vec<Among>>,
    /// The groupings, then what operations name.
    texts: Vec<String>,
}

/// A block that is not closed yet.
struct Open {
    /// For a loop its first step.
    again: Option<u16>,
    /// Jumps out of it.
    leaves: Vec<usize>,
}

impl Program {
    pub fn load(code: &[u8], texts: &str) -> Self {
        let mut program = Self::default();
        let mut lines = texts.split('\n');
        let mut bytes = code.iter().copied();
        let mut byte = || bytes.next().unwrap_or(op::END);
        for _ in 0..byte() {
            program.texts.extend(lines.next().map(str::to_string));
        }
        for _ in 0..byte() {
            let row = |text: &str| {
                let (mut result, mut routine) = (byte(), None);
                if result == WITH_ROUTINE {
                    (routine, result) = (Some(byte()), byte());
                }
                Among { text: text.to_string(), result: i32::from(result) - 1, routine }
            };
            program.amongs.push(lines.next().unwrap_or("").split('|').map(row).collect());
        }
        for _ in 0..byte() {
            program.routines.push(program.steps.len());
            program.load_routine(&mut byte, &mut lines);
        }
        program
    }

    fn load_routine(&mut self, byte: &mut dyn FnMut() -> u8, lines: &mut dyn Iterator<Item = &str>) {
        let mut open = vec![Open { again: None, leaves: Vec::new() }];
        while let Some(last) = open.len().checked_sub(1) {
            let op = byte();
            let here = self.steps.len();
            let mut step = Step { op, a: 0, b: 0, to: 0 };
            if op >= op::JUMP {
                let block = last.saturating_sub(usize::from(op - op::JUMP) >> 2);
                step.op = op::JUMP + (op & 3);
                match open.get_mut(block) {
                    // Again from its beginning.
                    Some(Open { again: Some(again), .. }) if op & 3 == 3 => (step.op, step.to) = (op::JUMP, *again),
                    Some(block) => block.leaves.push(here),
                    None => {}
                }
            } else if op == op::END {
                let block = open.pop();
                if let Some(again) = block.as_ref().and_then(|block| block.again) {
                    self.steps.push(Step { op: op::JUMP, a: 0, b: 0, to: again });
                }
                let end = self.steps.len() as u16;
                block.iter().flat_map(|block| &block.leaves).for_each(|leave| self.steps[*leave].to = end);
                if last > 0 {
                    continue;
                }
            } else if op <= op::LOOP {
                open.push(Open { again: (op == op::LOOP).then_some(here as u16), leaves: Vec::new() });
                continue;
            }
            if matches!(op, op::AMONG..=op::HOP_BACK | op::SLICE_BY | op::CALL..=op::IS) {
                step.a = byte();
            }
            if matches!(op, op::MOVE..=op::IS) {
                step.b = byte();
            }
            if matches!(op, op::EQUALS | op::EQUALS_BACK | op::SLICE | op::SLICE_BY | op::INSERT) {
                step.to = self.texts.len() as u16;
                self.texts.push(lines.next().unwrap_or("").to_string());
            }
            self.steps.push(step);
        }
    }

    /// A text by its number; number 0 may be a grouping, and operations without text do not look at it.
    pub fn text(&self, number: u16) -> &str {
        self.texts.get(usize::from(number)).map_or("", |text| text)
    }
}
