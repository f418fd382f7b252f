//! Bytes to text: UTF-8, or an encoding that the file declares or that is found by its letters.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8};

/// Where a page may declare its encoding, as browsers look for it.
const DECLARATION_BYTES: usize = 1024;

/// First bytes of files that are no text though they may hold no zero byte.
const MAGIC: [&[u8]; 9] =
    [b"%PDF-", b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"PK\x03\x04", b"\x1f\x8b", b"RIFF", b"wOF2", b"\x7fELF"];

/// The text of a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Decoded<'b> {
    pub text: Cow<'b, str>,
    /// What the owner should know: in which encoding the file was read, when that is not UTF-8.
    pub warning: Option<String>,
}

/// Bytes to text, or what is wrong with them.
///
/// A byte-order mark decides; then UTF-8 where all bytes fit it; then the `charset` that an HTML page declares; then the letters:
/// a legacy encoding is taken when the detector is sure of it and every byte has a letter in it. Nothing is replaced in silence.
pub(crate) fn decode<'b>(path: &str, bytes: &'b [u8]) -> Result<Decoded<'b>, String> {
    if MAGIC.iter().any(|magic| bytes.starts_with(magic)) {
        return Err("binary: its first bytes are those of a picture, an archive or the like".into());
    }
    let marked = Encoding::for_bom(bytes).map(|(encoding, _)| encoding).filter(|encoding| *encoding != UTF_8);
    if let Some(encoding) = marked {
        return legacy(bytes, encoding, "its byte-order mark says so");
    }
    if bytes.contains(&0) {
        return Err("binary: it holds a zero byte".into());
    }
    let Err(error) = std::str::from_utf8(bytes) else {
        // Checked above: this borrows.
        return Ok(Decoded { text: String::from_utf8_lossy(bytes), warning: None });
    };
    let first = error.valid_up_to();
    if let Some(encoding) = declared(path, bytes) {
        return legacy(bytes, encoding, &format!("the page declares it; byte {first} is the first that is not UTF-8"));
    }
    let detected = detected(bytes).ok_or_else(|| not_utf8(first))?;
    let why = format!("byte {first} is the first that is not UTF-8, and the letters are those of this encoding");
    legacy(bytes, detected, &why).map_err(|_| not_utf8(first))
}

fn not_utf8(first: usize) -> String {
    format!("not UTF-8: byte {first} is the first that does not fit; save it as UTF-8")
}

fn legacy<'b>(bytes: &'b [u8], encoding: &'static Encoding, why: &str) -> Result<Decoded<'b>, String> {
    let (text, _, broken) = encoding.decode(bytes);
    let name = encoding.name();
    if broken || text.contains('\0') {
        let first = text.find(['\u{fffd}', '\0']).map_or(0, |at| encoding.encode(&text[..at]).0.len());
        return Err(format!(
            "not {name}, though {why}: about byte {first} is the first that does not fit; save it as UTF-8"
        ));
    }
    let warning = Some(format!("read as {name}: {why}; save it as UTF-8"));
    Ok(Decoded { text: Cow::Owned(text.into_owned()), warning })
}

/// The `charset` in the head of an HTML page; UTF-8 there is a mistake that its bytes have shown.
fn declared(path: &str, bytes: &[u8]) -> Option<&'static Encoding> {
    let extension = path.rsplit_once('.')?.1.to_ascii_lowercase();
    matches!(&*extension, "html" | "htm" | "xhtml").then_some(())?;
    let head = bytes[..bytes.len().min(DECLARATION_BYTES)].to_ascii_lowercase();
    let at = head.windows(8).position(|window| window == b"charset=")? + 8;
    let label: Vec<u8> = head[at..].iter().copied().skip_while(|b| matches!(b, b'"' | b'\'' | b' ')).collect();
    let end = label.iter().position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')))?;
    Encoding::for_label(&label[..end]).filter(|encoding| *encoding != UTF_8)
}

/// The encoding that the letters are most likely in; `None` when that is not sure.
fn detected(bytes: &[u8]) -> Option<&'static Encoding> {
    if is_damaged_utf8(bytes) {
        return None;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let encoding = detector.guess(None, Utf8Detection::Deny);
    let (text, _, broken) = encoding.decode(bytes);
    (!broken && reads_well(&text)).then_some(encoding)
}

/// Mostly UTF-8: what else there is was damaged, and no other encoding gives the letters that were meant.
fn is_damaged_utf8(bytes: &[u8]) -> bool {
    let (mut fits, mut broken) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        fits += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    2 * fits > broken
}

/// No control characters, and nine in ten of the characters beyond ASCII are letters or the marks of prose.
fn reads_well(text: &str) -> bool {
    let control = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\u{c}');
    let mark = |c: char| {
        matches!(c, '\u{a0}' | '\u{2010}'..='\u{2027}' | '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ff65}')
            || "§°€£©®™«»·¿¡".contains(c)
    };
    let (mut all, mut good) = (0, 0);
    for c in text.chars().filter(|c| !c.is_ascii()) {
        all += 1;
        good += usize::from(c.is_alphabetic() || mark(c));
    }
    !text.chars().any(control) && good * 10 >= all * 9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf8_is_borrowed_and_needs_no_warning() {
        let found = decode("a.md", "Café".as_bytes()).unwrap();
        assert_eq!(found, Decoded { text: Cow::Borrowed("Café"), warning: None });
        assert!(matches!(found.text, Cow::Borrowed(_)));
    }

    /// Case A27.
    #[test]
    fn a_legacy_file_is_read_and_named_with_its_first_byte() {
        let found = decode("bad.md", b"# Caf\xe9 hours\nOpen \x96 daily\n").unwrap();
        assert_eq!(found.text, "# Café hours\nOpen – daily\n");
        let warning = found.warning.unwrap();
        assert!(warning.contains("windows-1252") && warning.contains("byte 5 "), "{warning}");
    }

    #[test]
    fn letters_of_other_scripts_are_found() {
        for (name, text) in [
            ("windows-1251", "Мы доставляем заказы по всей стране за три дня. Возврат бесплатный."),
            ("Shift_JIS", "ご注文の商品は三日以内に発送します。返品は三十日以内です。"),
            ("GBK", "我们在三天内发货。退货请在三十天之内联系客服。"),
            ("EUC-KR", "주문하신 상품은 삼 일 안에 발송됩니다. 반품은 삼십 일 안에 가능합니다."),
        ] {
            let encoding = Encoding::for_label(name.as_bytes()).unwrap();
            let (bytes, _, _) = encoding.encode(text);
            let found = decode("a.txt", &bytes).unwrap();
            assert_eq!(found.text, text, "{name}");
            assert!(found.warning.unwrap().contains(name));
        }
    }

    #[test]
    fn a_byte_order_mark_decides() {
        let units: Vec<u16> = "\u{feff}Café".encode_utf16().collect();
        let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        for (bytes, name) in [(little, "UTF-16LE"), (big, "UTF-16BE")] {
            let found = decode("a.md", &bytes).unwrap();
            assert_eq!(found.text, "Café");
            assert!(found.warning.unwrap().contains(name));
        }
        assert!(decode("a.md", b"\xff\xfeA").unwrap_err().contains("UTF-16LE"));
    }

    #[test]
    fn a_page_declares_its_charset() {
        let found = decode("a.html", b"<meta charset='iso-8859-2'><p>\xb1\xea</p>").unwrap();
        assert!(found.text.contains("ąę") && found.warning.unwrap().contains("ISO-8859-2"));
    }

    #[test]
    fn what_cannot_be_read_for_sure_is_refused_with_its_first_byte() {
        for bytes in [&b"Caf\xc3\xa9 and \xff"[..], b"a\x81\x8d\x8f\x90 b"] {
            let first = std::str::from_utf8(bytes).unwrap_err().valid_up_to();
            match decode("a.md", bytes) {
                Err(reason) => assert!(reason.contains(&format!("byte {first} ")), "{reason}"),
                Ok(found) => panic!("{found:?}"),
            }
        }
    }

    #[test]
    fn binaries_are_named_so() {
        for bytes in [&b"a\0b"[..], b"%PDF-1.7\n", b"PK\x03\x04abc", b"\x89PNG\r\n"] {
            assert!(decode("a.txt", bytes).unwrap_err().starts_with("binary"));
        }
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_give_text_or_a_reason(bytes in proptest::collection::vec(0_u8..=255, 0..200)) {
            if let Ok(found) = decode("a.html", &bytes) {
                assert!(found.warning.is_some() || found.text.as_bytes() == bytes);
            }
        }
    }
}
