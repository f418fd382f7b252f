//! Pages of a site: found by their content, never by what surrounds it.

#![cfg(not(target_arch = "wasm32"))]

mod kit;

use std::fs;
use std::path::PathBuf;

use kit::{Site, shared};

const BOILERPLATE: [&str; 5] = [".btn", "gtag", "tpl", "secret", "Imprint"];

fn page(main: &str) -> String {
    format!(
        "<html><head><style>.btn{{color:red}}</style></head><body><nav>Newsroom</nav><main>{main}<script>gtag('x')</script>\
         <template>tpl</template><p hidden>secret</p></main><footer>Newsroom Imprint</footer></body></html>"
    )
}

/// Case A15.
#[test]
fn the_words_of_neighboring_blocks_are_found() {
    let page = "<h1>Price list</h1><p>Basic plan.</p><ul><li>Mail</li><li>Chat</li></ul><table><tr><td>Pro</td><td>$49</td></tr></table>";
    let site = Site::new("", &[("prices.html", page)]);
    for word in ["chat", "mail", "list", "basic", "pro", "49"] {
        assert_eq!(site.ranked(word), ["prices.html#price-list"], "{word}");
    }
    for word in ["listbasic", "mailchat"] {
        assert_eq!(site.ranked(word), Vec::<String>::new(), "{word}");
    }
    assert!(site.texts.iter().all(|text| !text.contains("Pro$49")));
}

/// Case A17.
#[test]
fn a_word_of_the_navigation_finds_only_the_page_whose_content_has_it() {
    let refunds = page("<h1>Refunds</h1><p>30 days.</p>");
    let contact = page("<h1>Press</h1><p>Newsroom contact</p>");
    let names: Vec<String> = (0..20).map(|number| format!("p{number:02}.html")).collect();
    let files: Vec<(&str, &str)> = names
        .iter()
        .map(|name| (name.as_str(), if name == "p07.html" { contact.as_str() } else { refunds.as_str() }))
        .collect();
    let site = Site::new("", &files);
    assert_eq!(site.texts.len(), 20);
    for text in &site.texts {
        assert!(BOILERPLATE.iter().all(|word| !text.contains(word)), "{text}");
    }
    assert_eq!(site.ranked("newsroom"), ["p07.html#press"]);
}

/// The cases' own files, where they are at hand.
#[test]
fn the_pages_of_the_cases_build() {
    let Some(folder) = shared("cases/files") else { return };
    let entries = fs::read_dir(&folder).unwrap();
    let pages = fs::read_dir(folder.join("A17_site")).into_iter().flatten();
    let paths = entries.chain(pages).map(|entry| entry.unwrap().path());
    let paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|end| end == "html")).collect();
    assert!(paths.len() >= 23);
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        let site = Site::new("", &[("page.html", &text)]);
        assert!(!site.texts.is_empty(), "{}", path.display());
        assert!(
            site.texts.iter().all(|text| BOILERPLATE.iter().all(|word| !text.contains(word))),
            "{}",
            path.display()
        );
    }
}
