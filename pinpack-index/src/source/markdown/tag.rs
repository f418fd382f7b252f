//! One HTML or JSX tag: its name and the attributes that a reader sees.

use super::script::{Fuel, balanced};
use crate::source::html::SHOWN;

#[derive(Debug, Default, PartialEq)]
pub(super) struct TagMark<'s> {
    /// Bytes from `<` to past `>`.
    pub len: usize,
    /// Empty for a fragment.
    pub name: &'s str,
    pub closes: bool,
    pub is_empty: bool,
    /// Names and values, quotes and braces included.
    attributes: Vec<(&'s str, &'s str)>,
}

impl<'s> TagMark<'s> {
    /// The tag at the head of `source`; `None` when that is no tag.
    pub fn read(source: &'s str, fuel: &mut Fuel) -> Option<Self> {
        let mut reader = TagReader { source, at: 1 };
        let tag = reader.tag(fuel);
        if tag.is_none() {
            fuel.burn(reader.at);
        }
        tag
    }

    pub fn is_component(&self) -> bool {
        self.name.starts_with(|c: char| c.is_ascii_uppercase()) || self.name.contains(['-', '.'])
    }

    /// The plain text of an attribute: quoted, or a literal in braces.
    pub fn attribute(&self, name: &str) -> Option<&'s str> {
        let (_, value) = self.attributes.iter().find(|(other, _)| other.eq_ignore_ascii_case(name))?;
        let inner = value.strip_prefix('{').and_then(|value| value.strip_suffix('}')).map_or(*value, str::trim);
        let quote = inner.chars().next()?;
        match quote {
            '"' | '\'' | '`' => {
                let text = inner[1..].strip_suffix(quote)?;
                let has_value = quote == '`' && text.contains("${");
                (!has_value && !text.contains(quote)).then_some(text)
            }
            _ if value.starts_with('{') => None,
            _ => Some(value),
        }
    }

    /// The texts of its attributes that a reader sees.
    pub fn seen(&self) -> Vec<&'s str> {
        let names: &[&str] = match self.name {
            _ if self.closes => &[],
            "img" | "area" => &["alt"],
            _ if self.is_component() => &SHOWN,
            _ => &[],
        };
        let mut seen: Vec<&str> = Vec::new();
        for (name, _) in &self.attributes {
            let text = names.iter().find(|wanted| name == *wanted).and_then(|name| self.attribute(name));
            seen.extend(text.map(str::trim).filter(|text| !text.is_empty()));
        }
        if seen.is_empty() && matches!(self.name, "Tab" | "TabItem") {
            seen.extend(self.attribute("value"));
        }
        seen
    }

    /// Where it links to.
    pub fn target(&self) -> Option<&'s str> {
        self.attribute("href").or_else(|| self.attribute("to").filter(|_| self.is_component()))
    }
}

struct TagReader<'s> {
    source: &'s str,
    at: usize,
}

impl<'s> TagReader<'s> {
    fn tag(&mut self, fuel: &mut Fuel) -> Option<TagMark<'s>> {
        let mut tag = TagMark { closes: self.eat(b'/'), ..TagMark::default() };
        tag.name = self.word(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | ':' | '_'));
        if !tag.name.is_empty() && !tag.name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        loop {
            let blank = self.blank();
            match self.byte()? {
                b'>' => break,
                b'/' => {
                    self.at += 1;
                    tag.is_empty = true;
                }
                b'{' if !tag.name.is_empty() => self.at = balanced(self.source, self.at, fuel)?,
                _ if !blank || tag.name.is_empty() => return None,
                _ => tag.attributes.push(self.attribute(fuel)?),
            }
        }
        tag.len = self.at + 1;
        Some(tag)
    }

    fn attribute(&mut self, fuel: &mut Fuel) -> Option<(&'s str, &'s str)> {
        let name = self.word(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.' | '@' | '#' | '$'));
        if name.is_empty() {
            return None;
        }
        let before = self.at;
        self.blank();
        if !self.eat(b'=') {
            self.at = before;
            return Some((name, ""));
        }
        self.blank();
        let start = self.at;
        match self.byte()? {
            quote @ (b'"' | b'\'') => {
                let close = self.source.as_bytes()[start + 1..].iter().position(|byte| *byte == quote);
                self.at = close.map_or(self.source.len(), |close| start + close + 2);
                close?;
            }
            b'{' => self.at = balanced(self.source, start, fuel)?,
            _ => {
                self.word(|c| !c.is_whitespace() && !matches!(c, '>' | '"' | '\'' | '=' | '<' | '`'));
            }
        }
        (self.at > start).then(|| (name, &self.source[start..self.at]))
    }

    fn word(&mut self, belongs: impl Fn(char) -> bool) -> &'s str {
        let rest = &self.source[self.at..];
        let word = &rest[..rest.find(|c| !belongs(c)).unwrap_or(rest.len())];
        self.at += word.len();
        word
    }

    fn blank(&mut self) -> bool {
        !self.word(char::is_whitespace).is_empty()
    }

    fn byte(&self) -> Option<u8> {
        self.source.as_bytes().get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.byte() == Some(byte);
        self.at += usize::from(found);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(source: &str) -> Option<TagMark<'_>> {
        TagMark::read(source, &mut Fuel::new(source.len()))
    }

    #[test]
    fn names_attributes_and_ends() {
        let tag =
            read("<Card\n  title=\"A > b\" icon={<X a=\"}\" />} href='/p' label={`L`} wide {...rest}>text").unwrap();
        assert_eq!((tag.name, tag.closes, tag.is_empty), ("Card", false, false));
        assert_eq!((tag.seen(), tag.target()), (vec!["A > b", "L"], Some("/p")));
        assert_eq!(read("</a.b>").map(|tag| (tag.name, tag.closes, tag.len)), Some(("a.b", true, 6)));
        assert_eq!(read("<>x").map(|tag| tag.len), Some(2));
        assert!(read("<br/>").unwrap().is_empty);
        assert_eq!(read("<img src=x.png alt=Lamp>").unwrap().seen(), ["Lamp"]);
        assert_eq!(read("<TabItem value=\"npm\">").unwrap().seen(), ["npm"]);
    }

    #[test]
    fn text_is_no_tag() {
        for text in ["< 5", "<5", "<a", "<a b", "<a b=\"", "<a {", "<https://a.example>", "<a@b.example>", "<= x>"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
