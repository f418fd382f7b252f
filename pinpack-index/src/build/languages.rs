//! Which language each section is in: the configured one, or with `auto` what its script and letter triples tell.

use std::collections::BTreeMap;

use whatlang::{Detector, Info, Lang};

use crate::section::SectionSet;

/// Characters of a text that are looked at: more changes nothing.
const LOOKED_AT: usize = 2000;
/// Bytes of letters that a text has to have to bring a language in by itself.
const ENOUGH: usize = 120;
/// The same for a page: one is seldom in two languages.
const ENOUGH_OF_A_PAGE: usize = 60;
/// Bytes of letters that a section has to have to be told from its page.
const SOME: usize = 40;

/// Languages of a knowledge base.
pub(crate) struct Languages {
    /// BCP 47 tags, the one of most text first.
    pub tags: Vec<String>,
    /// For each section a row of `tags`.
    pub of: Vec<usize>,
}

impl Languages {
    /// `setting` is a tag, or `auto`.
    pub fn new(setting: &str, set: &SectionSet) -> Self {
        if setting != "auto" {
            return Self { tags: vec![setting.to_string()], of: vec![0; set.sections.len()] };
        }
        let texts: Vec<String> = (0..set.sections.len()).map(|id| text(set, id)).collect();
        let pages = pages(set, &texts);
        let candidates = candidates(&texts, &pages);
        let mut tags: Vec<&str> = candidates.iter().map(|lang| tag(*lang)).collect();
        tags.dedup();
        if tags.len() < 2 {
            let tag = tags.first().copied().unwrap_or("en");
            return Self { tags: vec![tag.to_string()], of: vec![0; texts.len()] };
        }
        let detector = Detector::with_allowlist(candidates);
        let row = |text: &str| {
            let found = detector.detect(text).filter(Info::is_reliable)?;
            tags.iter().position(|known| *known == tag(found.lang()))
        };
        let pages: Vec<usize> = pages.iter().map(|text| row(text).unwrap_or(0)).collect();
        let own = |text: &String| Some(text).filter(|text| letters(text) >= SOME).and_then(|text| row(text));
        let of =
            texts.iter().zip(&set.sections).map(|(text, section)| own(text).unwrap_or(pages[section.page])).collect();
        Self { tags: tags.iter().map(ToString::to_string).collect(), of }
    }

    /// The tags parted by commas: what the blob says.
    pub fn joined(&self) -> String {
        self.tags.join(",")
    }
}

/// The languages that pages and long sections are in, by the bytes of their letters, most first. A language that has not a hundredth of
/// them is taken for a mistake.
fn candidates(sections: &[String], pages: &[String]) -> Vec<Lang> {
    let mut letters_of: BTreeMap<&str, (usize, Lang)> = BTreeMap::new();
    let mut all = 0;
    let enough =
        sections.iter().zip(std::iter::repeat(ENOUGH)).chain(pages.iter().zip(std::iter::repeat(ENOUGH_OF_A_PAGE)));
    for (text, enough) in enough {
        let count = letters(text);
        all += count;
        let found = Some(count).filter(|count| *count >= enough).and_then(|_| whatlang::detect(text));
        if let Some(found) = found.filter(Info::is_reliable) {
            letters_of.entry(tag(found.lang())).or_insert((0, found.lang())).0 += count;
        }
    }
    if letters_of.is_empty() {
        let found = whatlang::detect(&head(&pages.join("\n")));
        return found.filter(Info::is_reliable).iter().map(Info::lang).collect();
    }
    let mut found: Vec<(usize, Lang)> = letters_of.into_values().filter(|(count, _)| count * 100 >= all).collect();
    found.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    found.into_iter().map(|(_, lang)| lang).collect()
}

/// The heading path of a section and the beginning of its text.
fn text(set: &SectionSet, id: usize) -> String {
    let mut out = set.path(id).join("\n");
    out.push('\n');
    out.push_str(&set.sections[id].text);
    head(&out)
}

/// For each page the beginning of its text.
fn pages(set: &SectionSet, texts: &[String]) -> Vec<String> {
    let mut pages = vec![String::new(); set.pages.len()];
    for (section, text) in set.sections.iter().zip(texts) {
        let page = &mut pages[section.page];
        if page.len() < 2 * LOOKED_AT {
            page.push_str(text);
            page.push('\n');
        }
    }
    pages
}

fn head(text: &str) -> String {
    text.chars().take(LOOKED_AT).collect()
}

fn letters(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphabetic()).map(char::len_utf8).sum()
}

/// The shortest BCP 47 tag of a language.
fn tag(lang: Lang) -> &'static str {
    // ISO 639-3 to 639-1, for what whatlang tells apart.
    const SHORT: &str = "epo eo eng en rus ru cmn zh spa es por pt ita it ben bn fra fr deu de ukr uk kat ka ara ar hin hi jpn ja heb he \
        yid yi pol pl amh am jav jv kor ko nob nb dan da swe sv fin fi tur tr nld nl hun hu ces cs ell el bul bg bel be mar mr kan kn \
        ron ro slv sl hrv hr srp sr mkd mk lit lt lav lv est et tam ta vie vi urd ur tha th guj gu uzb uz pan pa aze az ind id tel te \
        pes fa mal ml ori or mya my nep ne sin si khm km tuk tk aka ak zul zu sna sn afr af lat la slk sk cat ca tgl tl hye hy cym cy";
    let code = lang.code();
    let mut names = SHORT.split_whitespace();
    while let (Some(long), Some(short)) = (names.next(), names.next()) {
        if long == code {
            return short;
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::section::{Page, Section};

    const ENGLISH: &str = "You can send the parcel back within thirty days of the delivery, and we will refund the whole price \
        of it, with what the shipping cost you. Please use the box that it came in.";
    const GERMAN: &str = "Sie können das Paket innerhalb von dreißig Tagen nach der Lieferung zurückschicken, und wir erstatten \
        Ihnen den vollen Preis mit den Kosten des Versands. Bitte verwenden Sie den Karton, in dem es kam.";
    const FRENCH: &str = "Vous pouvez renvoyer le colis dans les trente jours qui suivent la livraison, et nous vous remboursons \
        le prix entier avec les frais de port. Veuillez utiliser le carton dans lequel il est arrivé.";
    const JAPANESE: &str = "お届けから三十日以内であれば返品できます。送料を含む全額を返金いたします。届いた箱をそのままお使いください。\
        ご不明な点がございましたら、お気軽にお問い合わせください。営業時間は午前九時から午後五時までです。返金には一週間ほどかかる場合がございます。";

    /// One page for each list of texts.
    fn set(pages: &[&[&str]]) -> SectionSet {
        let page = |row: usize| Page { file: format!("{row}.md"), url: String::new(), title: String::new() };
        let section = |page: usize, text: &str| Section {
            page,
            heading: None,
            text: text.into(),
            pinned: false,
            tokens: 1,
            span: 0..0,
            line: 1,
        };
        let sections =
            pages.iter().enumerate().flat_map(|(row, texts)| texts.iter().map(move |text| section(row, text)));
        SectionSet { pages: (0..pages.len()).map(page).collect(), headings: Vec::new(), sections: sections.collect() }
    }

    fn told(pages: &[&[&str]]) -> Vec<String> {
        let languages = Languages::new("auto", &set(pages));
        languages.of.iter().map(|row| languages.tags[*row].clone()).collect()
    }

    #[test]
    fn tells_each_section_apart() {
        assert_eq!(told(&[&[ENGLISH], &[GERMAN], &[FRENCH], &[JAPANESE]]), ["en", "de", "fr", "ja"]);
        assert_eq!(told(&[&[ENGLISH, GERMAN, ENGLISH]]), ["en", "de", "en"]);
    }

    #[test]
    fn a_short_section_is_in_the_language_of_its_page() {
        assert_eq!(told(&[&[GERMAN, "Preise: 49 €"], &[ENGLISH, "Prices: $49"]]), ["de", "de", "en", "en"]);
    }

    #[test]
    fn a_short_page_brings_its_language_in() {
        let short = "Sie schicken die Ware binnen dreißig Tagen nach dem Empfang zurück, und wir erstatten den Preis.";
        assert_eq!(told(&[&[ENGLISH], &[short]]), ["en", "de"]);
    }

    #[test]
    fn one_language_is_one_tag_and_nothing_to_tell_is_english() {
        assert_eq!(Languages::new("auto", &set(&[&[GERMAN], &[GERMAN, "Ja."]])).joined(), "de");
        assert_eq!(Languages::new("auto", &set(&[&["49"], &["§§"]])).joined(), "en");
        assert_eq!(Languages::new("auto", &set(&[])).joined(), "en");
        assert_eq!(Languages::new("pt-BR", &set(&[&[GERMAN]])).joined(), "pt-BR");
    }

    #[test]
    fn every_language_has_a_short_tag() {
        assert!(Lang::all().iter().all(|lang| tag(*lang).len() == 2));
    }
}
