//! LEB128 variable-length integers: 7 bits a byte, low bits first, the high bit set on all but the last byte.

/// Appends `value`.
#[cfg(feature = "build")]
pub(crate) fn write(out: &mut Vec<u8>, mut value: u32) {
    while value > 0x7f {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Reads the integer at `*at` and moves past it. Past the end it reads 0; bits over 32 are lost.
#[inline]
pub(crate) fn read(bytes: &[u8], at: &mut usize) -> u32 {
    let (mut value, mut shift) = (0u32, 0u32);
    while let Some(&byte) = bytes.get(*at) {
        *at += 1;
        value |= u32::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
        if byte < 0x80 {
            break;
        }
        shift += 7;
    }
    value
}

/// Reads a whole column of integers, behind `lead` zeros. Bits over 32 are lost, as is an integer that the end cuts off.
#[inline(never)]
pub(crate) fn column(bytes: &[u8], lead: usize) -> Vec<u32> {
    let mut out = vec![0; bytes.len() + lead];
    let (mut row, mut value, mut shift) = (lead, 0u32, 0u32);
    for byte in bytes {
        value |= u32::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
        shift += 7;
        if *byte < 0x80 {
            out[row] = value;
            row += 1;
            (value, shift) = (0, 0);
        }
    }
    out.truncate(row);
    out
}

/// The offset after `count` integers from `at`, eight bytes at a time.
pub(crate) fn skip(bytes: &[u8], mut at: usize, mut count: usize) -> usize {
    while count >= 8 {
        let Some(chunk) = bytes.get(at..at + 8).and_then(|chunk| chunk.first_chunk::<8>()) else { break };
        // A byte without its high bit ends an integer.
        let ends = (!u64::from_le_bytes(*chunk) & 0x8080_8080_8080_8080).count_ones() as usize;
        count -= ends;
        at += 8;
    }
    // A chunk that ended inside an integer left it counted: the next read finishes it.
    for _ in 0..count {
        read(bytes, &mut at);
    }
    at
}
