//! What the names of elements, attributes, classes and roles mean for a reader.

/// Does an attribute decide anything here? The others are left out before the parser compares them.
pub(super) fn is_read(attribute: &str) -> bool {
    const READ: [&str; 24] = [
        "id", "class", "name", "href", "alt", "title", "hidden", "style", "role", "rel", "content", "type", "checked",
        "start", "value", "colspan", "rowspan", "lang", "open", "encoding", "alttext", "display", "dir", "reversed",
    ];
    attribute.starts_with("aria-")
        || attribute.starts_with("data-")
        || attribute == "to"
        || READ.contains(&attribute)
        || SHOWN.contains(&attribute)
}

/// Attributes of components whose text is on the page.
pub(in crate::source) const SHOWN: [&str; 14] = [
    "title",
    "label",
    "alt",
    "description",
    "heading",
    "header",
    "summary",
    "caption",
    "subtitle",
    "tagline",
    "text",
    "question",
    "answer",
    "author",
];

/// Is an element one that HTML does not know? In Markdown it is made by the site's generator.
pub(super) fn is_component(name: &str) -> bool {
    const INLINE: [&str; 40] = [
        "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "blink", "cite", "code", "colgroup", "data", "del", "dfn",
        "em", "font", "i", "ins", "kbd", "label", "mark", "nobr", "output", "picture", "q", "rb", "rp", "rt", "rtc",
        "ruby", "s", "samp", "slot", "small", "span", "strike", "strong", "sub", "sup", "time",
    ];
    let known = is_block(name) || is_void(name) || is_raw(name) || is_unseen(name) || is_control(name);
    !name.is_empty() && !known && !INLINE.contains(&name) && !matches!(name, "tt" | "u" | "var" | "rbc")
}

/// The name under which an element that only looks different is parsed: browsers repeat unclosed `<b>` in every paragraph after it,
/// which changes no text and takes as long as there are paragraphs times tags.
pub(super) fn plain_name(name: &str) -> Option<&'static str> {
    match name {
        "b" | "i" | "em" | "strong" | "font" | "u" | "small" | "big" | "nobr" => Some("span"),
        "code" | "tt" => Some("samp"),
        "s" | "strike" => Some("del"),
        _ => None,
    }
}

/// Elements that begin and end a line.
pub(in crate::source) fn is_block(name: &str) -> bool {
    const BLOCK: [&str; 63] = [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "caption",
        "center",
        "dd",
        "details",
        "dialog",
        "dir",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "frameset",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hgroup",
        "hr",
        "html",
        "legend",
        "li",
        "listing",
        "main",
        "marquee",
        "menu",
        "nav",
        "noframes",
        "ol",
        "optgroup",
        "option",
        "p",
        "plaintext",
        "pre",
        "search",
        "section",
        "select",
        "summary",
        "table",
        "tbody",
        "td",
        "template",
        "tfoot",
        "th",
        "thead",
        "title",
        "tr",
        "ul",
        "xmp",
        "br",
        "head",
        "video",
        "iframe",
    ];
    BLOCK.contains(&name)
}

/// Elements whose text holds no tags.
pub(super) const RAW: [&str; 9] =
    ["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "noscript"];

pub(super) fn is_raw(name: &str) -> bool {
    RAW.contains(&name)
}

/// Elements without content.
pub(super) fn is_void(name: &str) -> bool {
    const VOID: [&str; 20] = [
        "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "image", "img", "input", "keygen",
        "link", "meta", "param", "source", "track", "wbr", "isindex",
    ];
    VOID.contains(&name)
}

/// Elements that add no depth.
pub(super) fn is_leaf(name: &str) -> bool {
    is_void(name) || is_raw(name) || matches!(name, "html" | "head" | "body" | "plaintext" | "frameset")
}

/// Parts of a table and of the page, which the parser passes over where they do not belong; their words are still apart.
pub(super) fn is_table_part(name: &str) -> bool {
    matches!(name, "td" | "th" | "tr" | "tbody" | "thead" | "tfoot" | "caption" | "body")
}

/// Elements that no reader sees, with all that is in them.
pub(super) fn is_unseen(name: &str) -> bool {
    const UNSEEN: [&str; 22] = [
        "script", "style", "template", "noscript", "head", "title", "meta", "link", "base", "iframe", "frame",
        "object", "embed", "applet", "canvas", "video", "audio", "noembed", "noframes", "datalist", "map", "param",
    ];
    UNSEEN.contains(&name)
}

/// Elements that a visitor works and does not read.
pub(super) fn is_control(name: &str) -> bool {
    matches!(name, "button" | "select" | "textarea" | "input" | "progress" | "meter" | "search" | "keygen")
}

/// Level of a heading.
pub(super) fn heading_level(name: &str) -> Option<u8> {
    match name.as_bytes() {
        [b'h', digit @ b'1'..=b'6'] => Some(digit - b'0'),
        _ => None,
    }
}

/// Classes that mark moving about the site: contents lists, crumbs, next and previous, edit links.
pub(super) const NAVIGATION: &[&str] = &[
    "toc",
    "table-of-contents",
    "tableOfContents",
    "theme-doc-toc-mobile",
    "theme-doc-toc-desktop",
    "toctree",
    "contents",
    "md-sidebar",
    "md-source-file",
    "sphinxsidebar",
    "breadcrumb",
    "breadcrumbs",
    "theme-doc-breadcrumbs",
    "pagination-nav",
    "pagination",
    "prev-next-area",
    "prev-next-footer",
    "rst-footer-buttons",
    "theme-edit-this-page",
    "edit-this-page",
    "edit-link",
    "skip-link",
    "skip-to-content",
    "skiplink",
    "viewcode-link",
    "viewcode-back",
    "mw-editsection",
    "VPDocOutlineItem",
    "right-sidebar-container",
];

/// Classes of text for screen readers alone.
pub(super) const UNSEEN_CLASSES: &[&str] = &[
    "sr-only",
    "visually-hidden",
    "visuallyhidden",
    "screen-reader-text",
    "katex-html",
    "mjx-chtml",
    "MathJax_Preview",
];

/// Classes of what stands beside code: numbers of lines.
pub(super) const LINE_NUMBERS: &[&str] = &[
    "linenos",
    "lineno",
    "linenodiv",
    "line-numbers-wrapper",
    "line-numbers-rows",
    "gutter",
    "gl",
    "ln",
    "lnt",
    "rouge-gutter",
    "codeLineNumber",
    "blob-num",
];

/// Classes of the numbers beside a notebook's cells.
pub(super) const PROMPTS: &[&str] = &["input_prompt", "output_prompt", "jp-InputPrompt", "jp-OutputPrompt"];

/// Classes of links to a heading itself.
pub(super) const PERMALINKS: &[&str] = &[
    "headerlink",
    "header-anchor",
    "hash-link",
    "anchor",
    "anchor-link",
    "anchorjs-link",
    "heading-link",
    "permalink",
];

/// Ids and classes of what surrounds the content of a page without `<main>` or `<nav>`.
pub(super) fn surrounding(word: &str) -> Option<&'static str> {
    match word {
        "nav" | "navbar" | "navigation" | "menu" | "main-nav" | "site-nav" | "topnav" | "sidenav" | "main-menu" => {
            Some("navigation")
        }
        "sidebar" | "site-sidebar" => Some("sidebar"),
        "footer" | "site-footer" | "page-footer" => Some("footer"),
        _ => None,
    }
}

/// Classes and ids that generators of sites give to the content of a page, with nothing around it.
pub(super) const CONTENT: &[&str] = &[
    "theme-doc-markdown",
    "vp-doc",
    "md-content__inner",
    "md-content",
    "sl-markdown-content",
    "markdown-body",
    "mw-parser-output",
    "documentwrapper",
    "post-content",
    "entry-content",
    "article-content",
    "page-content",
    "post-body",
    "main-content",
    "content",
    "body",
];
