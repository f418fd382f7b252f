//! JSONL: ready-made sections, one a line.

use serde::Deserialize;

/// One line.
#[derive(Deserialize)]
pub(crate) struct Record {
    /// The owner's id; becomes the section's ref.
    #[serde(rename = "_id")]
    pub id: serde_json::Value,
    #[serde(default)]
    pub title: String,
    pub text: String,
    #[serde(default)]
    pub url: String,
    #[serde(default)]
    pub pinned: bool,
}

impl Record {
    /// Has it neither text nor a title?
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty() && self.title.trim().is_empty()
    }

    /// The id as text: a string as it is, a number as it is written.
    pub fn id(&self) -> String {
        self.id.as_str().map_or_else(|| self.id.to_string(), str::to_string)
    }
}

/// Reads each line that is not blank: the record with its byte span, or what is wrong with the line.
pub(crate) fn read_jsonl(text: &str) -> Result<Vec<(Record, std::ops::Range<usize>)>, String> {
    let mut out = Vec::new();
    let mut at = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let span = at..at + line.len();
        at = span.end;
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() {
            continue;
        }
        let record = serde_json::from_str(line).map_err(|error| {
            format!(
                "line {}: {error}; wanted {{\"_id\": …, \"title\": \"…\", \"text\": \"…\"}} on one line",
                number + 1
            )
        })?;
        out.push((record, span));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_line_ends_and_other_keys_are_allowed() {
        let source = "\u{feff}{\"_id\": 1, \"text\": \"a\", \"more\": [2]}\r\n\r\n{\"_id\": \"b\", \"text\": \"c\"}";
        let records = read_jsonl(source).ok().unwrap();
        let ids: Vec<String> = records.iter().map(|(record, _)| record.id()).collect();
        assert_eq!(ids, ["1", "b"]);
        assert!(source[records[1].1.clone()].starts_with("{\"_id\": \"b\""));
    }

    #[test]
    fn a_bad_line_is_named() {
        let source = "{\"_id\": 1, \"text\": \"a\"}\n\n{\"_id\": 2}\n";
        assert!(read_jsonl(source).err().unwrap().starts_with("line 3: "));
    }
}
