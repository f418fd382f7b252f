//! Just enough JavaScript to know where a statement or an expression of MDX ends.

/// Bytes that may be read in vain: what looks like code and does not end is text, and is not looked at for ever.
#[derive(Debug)]
pub(super) struct Fuel(usize);

impl Fuel {
    pub fn new(len: usize) -> Self {
        Self(4 * len + 4096)
    }

    /// Takes what was read in vain.
    pub fn burn(&mut self, bytes: usize) {
        self.0 = self.0.saturating_sub(bytes);
    }

    pub fn left(&self) -> usize {
        self.0
    }
}

/// Where the bracket at `at` is closed, past it; strings, templates and comments are passed over.
pub(super) fn balanced(source: &str, at: usize, fuel: &mut Fuel) -> Option<usize> {
    let end = close_of(source.as_bytes(), at, fuel.left());
    if end.is_err() {
        fuel.burn(end.err().unwrap_or(0));
    }
    end.ok()
}

/// The end, or how many bytes were read without finding it.
fn close_of(source: &[u8], start: usize, limit: usize) -> Result<usize, usize> {
    let mut open: Vec<u8> = Vec::new();
    let mut at = start;
    while let Some(&byte) = source.get(at) {
        if at - start > limit {
            break;
        }
        if open.last() == Some(&b'`') {
            at += match (byte, source.get(at + 1)) {
                (b'\\', _) => 2,
                (b'$', Some(b'{')) => {
                    open.push(b'}');
                    2
                }
                (b'`', _) => {
                    open.pop();
                    1
                }
                _ => 1,
            };
            continue;
        }
        match byte {
            b'"' | b'\'' => {
                at = string_end(source, at).unwrap_or(at + 1);
                continue;
            }
            b'/' if matches!(source.get(at + 1), Some(b'/' | b'*')) => {
                at = comment_end(source, at).ok_or(source.len() - start)?;
                continue;
            }
            b'`' => open.push(b'`'),
            b'{' => open.push(b'}'),
            b'(' => open.push(b')'),
            b'[' => open.push(b']'),
            b'}' | b')' | b']' if open.pop() != Some(byte) => break,
            _ => {}
        }
        at += 1;
        if open.is_empty() {
            return Ok(at);
        }
    }
    Err(at.min(source.len()) - start + 1)
}

/// Past the closing quote; `None` when the line ends first: then it was an apostrophe.
pub(super) fn string_end(source: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    while let Some(&byte) = source.get(at) {
        match byte {
            b'\n' => return None,
            b'\\' => at += 1,
            _ if byte == source[start] => return Some(at + 1),
            _ => {}
        }
        at += 1;
    }
    None
}

fn comment_end(source: &[u8], at: usize) -> Option<usize> {
    let (mark, len): (&[u8], usize) = if source[at + 1] == b'/' { (b"\n", 0) } else { (b"*/", 2) };
    let found = source[at + 2..].windows(mark.len()).position(|window| window == mark);
    found.map(|found| at + 2 + found + len).or((len == 0).then_some(source.len()))
}

/// Where the `import` or `export` statement at `at` ends, past its line; `None` when it is prose.
pub(super) fn statement(source: &str, at: usize, fuel: &mut Fuel) -> Option<usize> {
    let mut reader = Statement { source, at, fuel };
    match reader.name()? {
        "import" => reader.import(),
        "export" => reader.export(),
        _ => None,
    }?;
    let end = reader.line_end();
    if end.is_none() {
        reader.fuel.burn(reader.at - at);
    }
    end
}

struct Statement<'s, 'f> {
    source: &'s str,
    at: usize,
    fuel: &'f mut Fuel,
}

impl<'s> Statement<'s, '_> {
    fn import(&mut self) -> Option<()> {
        if matches!(self.peek(), Some(b'"' | b'\'')) {
            return self.string();
        }
        self.clause()?;
        self.string()?;
        if self.rest().starts_with(" with ") || self.rest().starts_with(" assert ") {
            self.name()?;
            self.brackets(b'{')?;
        }
        Some(())
    }

    /// What is imported, and `from`. A default, `type`, `* as name`: at most five names.
    fn clause(&mut self) -> Option<()> {
        for _ in 0..8 {
            match self.peek()? {
                b'{' => self.brackets(b'{')?,
                b'*' | b',' => self.at += 1,
                _ if self.name()? == "from" && matches!(self.peek(), Some(b'"' | b'\'')) => return Some(()),
                _ => {}
            }
        }
        None
    }

    fn export(&mut self) -> Option<()> {
        match self.peek()? {
            b'{' => {
                self.brackets(b'{')?;
                if self.rest().trim_start().starts_with("from") {
                    self.name()?;
                    self.string()?;
                }
                return Some(());
            }
            b'*' => {
                self.clause()?;
                return self.string();
            }
            _ => {}
        }
        match self.name()? {
            "const" | "let" | "var" => self.variable(),
            "type" => self.after_name(b'=').and_then(|()| self.expression()),
            "default" => self.default(),
            "async" if self.name()? == "function" => self.function(),
            "function" => self.function(),
            "class" => self.class(),
            "interface" | "enum" => self.after_name(b'{').and_then(|()| self.brackets(b'{')),
            _ => None,
        }
    }

    fn variable(&mut self) -> Option<()> {
        match self.peek()? {
            bracket @ (b'{' | b'[') => self.brackets(bracket)?,
            _ => self.name().map(|_| ())?,
        }
        if self.peek() == Some(b':') {
            let line = self.rest().split('\n').next()?;
            self.at += line.find(" = ")?;
        }
        (self.peek()? == b'=').then(|| self.at += 1)?;
        self.expression()
    }

    fn default(&mut self) -> Option<()> {
        if !self.peek()?.is_ascii_alphabetic() {
            return self.expression();
        }
        let before = self.at;
        match self.name()? {
            "function" => self.function(),
            "async" if self.rest().trim_start().starts_with("function") => {
                self.name()?;
                self.function()
            }
            "class" => self.class(),
            "new" | "async" => self.expression(),
            _ => {
                let rest = self.rest().as_bytes();
                let code = match rest.first() {
                    None | Some(b'\n' | b';' | b'(') => true,
                    Some(b'.') => rest.get(1).is_some_and(u8::is_ascii_alphabetic),
                    _ => self.rest().trim_start_matches(' ').starts_with("=>"),
                };
                code.then(|| self.at = before)?;
                self.expression()
            }
        }
    }

    fn function(&mut self) -> Option<()> {
        if self.peek() == Some(b'*') {
            self.at += 1;
        }
        if self.peek()? != b'(' {
            self.name()?;
        }
        self.brackets(b'(')?;
        if self.peek() == Some(b':') {
            self.at += self.rest().split('\n').next()?.find('{')?;
        }
        self.brackets(b'{')
    }

    fn class(&mut self) -> Option<()> {
        if self.peek()? != b'{' {
            self.name()?;
        }
        if self.rest().trim_start().starts_with("extends") {
            self.at += self.rest().split('\n').next()?.find('{')?;
        }
        self.brackets(b'{')
    }

    fn after_name(&mut self, mark: u8) -> Option<()> {
        self.name()?;
        (self.peek()? == mark).then_some(())?;
        if mark == b'=' {
            self.at += 1;
        }
        Some(())
    }

    /// To the `;` or the line end that ends an expression.
    fn expression(&mut self) -> Option<()> {
        let bytes = self.source.as_bytes();
        self.peek()?;
        let start = self.at;
        loop {
            match bytes.get(self.at) {
                None | Some(b';') => break,
                Some(b'\n') if self.is_complete(start) => break,
                Some(b'"' | b'\'') => self.at = string_end(bytes, self.at)?,
                Some(b'{' | b'(' | b'[' | b'`') => self.at = balanced(self.source, self.at, self.fuel)?,
                Some(b'}' | b')' | b']') => return None,
                Some(_) => self.at += 1,
            }
        }
        (!self.source[start..self.at].trim().is_empty()).then_some(())
    }

    /// Is what was read up to a line end a whole expression?
    fn is_complete(&self, start: usize) -> bool {
        let line = self.source[start..self.at].rsplit('\n').next().unwrap_or("").trim_end();
        let open = line.ends_with("=>") || line.ends_with(['=', '+', '-', '*', '&', '|', '?', ':', ',']);
        let next = self.source[self.at + 1..].trim_start_matches(' ');
        let goes_on = next.starts_with('?') || next.starts_with("&&") || next.starts_with("||");
        let call = next.starts_with('.') && next[1..].starts_with(|c: char| c.is_ascii_alphabetic());
        (!open || next.starts_with('\n')) && !goes_on && !call
    }

    fn rest(&self) -> &'s str {
        self.source.get(self.at..).unwrap_or("")
    }

    /// The next byte that is not blank, with all before it passed over.
    fn peek(&mut self) -> Option<u8> {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_ascii_start().len();
        self.source.as_bytes().get(self.at).copied()
    }

    fn name(&mut self) -> Option<&'s str> {
        self.peek();
        let rest = self.rest();
        let len = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$'))).unwrap_or(rest.len());
        self.at += len;
        (len > 0).then(|| &rest[..len])
    }

    fn string(&mut self) -> Option<()> {
        self.peek().filter(|byte| matches!(byte, b'"' | b'\''))?;
        self.at = string_end(self.source.as_bytes(), self.at)?;
        Some(())
    }

    fn brackets(&mut self, open: u8) -> Option<()> {
        (self.peek()? == open).then_some(())?;
        self.at = balanced(self.source, self.at, self.fuel)?;
        Some(())
    }

    /// Past the line, where nothing but `;` and a comment is left on it.
    fn line_end(&mut self) -> Option<usize> {
        let line = self.rest().split('\n').next()?;
        let left = line.trim().trim_start_matches(';').trim_start();
        let over = left.is_empty() || left.starts_with("//") || (left.starts_with("/*") && left.ends_with("*/"));
        over.then(|| (self.at + line.len() + 1).min(self.source.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(source: &str) -> Option<&str> {
        statement(source, 0, &mut Fuel::new(source.len())).map(|end| &source[..end])
    }

    #[test]
    fn whole_statements_end_where_they_end() {
        for code in [
            "import a from 'b'\n",
            "import 'b';\n",
            "import {\n  a,\n  b as c\n} from \"./many\";\n",
            "import * as X from 'x' // why\n",
            "import D, { e } from 'f'\n",
            "import type { T } from 't';\n",
            "export const meta = { a: 1, b: '}' }\n",
            "export const f = (x) => {\n  return `}${x}`\n}\n",
            "export const list =\n  [1, 2]\n    .map(x => x);\n",
            "export function Foo({ a }) {\n  return <p>Don't {a}</p>\n}\n",
            "export default function () { return 1 }\n",
            "export default Layout\n",
            "export default ({ children }) => <Layout>{children}</Layout>\n",
            "export { a, b } from './c'\n",
            "export * from './c'\n",
            "export const { a } = useIt()\n",
            "export const n: number = 3\n",
            "export async function load() { await 1 }\n",
        ] {
            assert_eq!(ends(&format!("{code}\nProse.")), Some(code), "{code}");
        }
    }

    #[test]
    fn prose_is_no_statement() {
        for prose in [
            "export controls do not apply.",
            "export default settings are kept.",
            "export default settings.",
            "import duties apply to orders over $150.",
            "import taxes from 'abroad' are due.",
            "export function keys are on the left.",
            "export class rooms are large.",
            "export const is a keyword.",
            "export let me know",
            "export type your name",
            "export const broken = {",
            "import",
            "export",
            "import {a",
        ] {
            assert_eq!(ends(prose), None, "{prose}");
        }
    }
}
