use super::*;

/// A page with anchors, at the address that pretty addresses give.
fn page(file: &str, anchors: &[&str]) -> Page {
    let below = file.strip_prefix("content/").unwrap_or(file);
    let stem = below.rsplit_once('.').unwrap().0;
    let url = format!("https://a.example/docs/{}", stem.strip_suffix("index").unwrap_or(stem));
    let anchors = Some(anchors.iter().map(|anchor| loose(anchor)).collect());
    Page { file: file.into(), below: below.into(), url, aliases: Vec::new(), anchors }
}

/// What is missing for a link of `content/guide/start.md`.
fn missing(target: &str) -> Option<Missing> {
    let pages = [
        page("content/index.md", &["welcome"]),
        page("content/guide/start.md", &["first-steps", "What it costs: $5", "café"]),
        page("content/guide/My setup.md", &["tools"]),
        page("content/guide/deep/index.md", &["below"]),
        page("content/api/v1.2.md", &[]),
    ];
    Map::new(&pages, "https://a.example/docs/").find(1, target)?.missing
}

#[test]
fn finds_pages_in_every_way_that_they_are_written() {
    let found = [
        "start.md",
        "./start.md",
        "My setup.md",
        "My%20setup.md",
        "my-setup/../My setup",
        "deep/index.md",
        "deep/",
        "deep",
        "./deep#below",
        "../index.md",
        "../",
        "..",
        "../guide/start.html",
        "start/",
        "start?tab=2#first-steps",
        "/docs/guide/start",
        "/docs/guide/start/",
        "/guide/start.md",
        "/guide/start",
        "/docs/",
        "/docs",
        "/",
        "content/guide/start.md",
        "@site/content/guide/start.md",
        "../api/v1.2.md",
        "../api/v1.2",
        "../../guide/deep",
        "../start",
        "My setup",
        "deep/index",
        "guide/My setup#Tools",
        "/docs/guide",
    ];
    for target in found {
        assert_eq!(missing(target), None, "{target}");
    }
}

#[test]
fn finds_anchors_in_every_way_that_they_are_written() {
    for target in [
        "#first-steps",
        "#First Steps",
        "#first_steps",
        "#what-it-costs-5",
        "#What it costs: $5",
        "#caf%C3%A9",
        "#cafe",
        "#",
        "#top",
        "#:~:text=first",
        "deep#below",
        "My setup#tools",
        "#First steps#Café",
    ] {
        assert_eq!(missing(target), None, "{target}");
    }
    for target in ["#second-steps", "start.md#tools", "/docs/guide/deep/#first-steps", "#caf", "#coffee"] {
        assert_eq!(missing(target), Some(Missing::Anchor), "{target}");
    }
}

#[test]
fn says_which_page_is_missing() {
    for target in [
        "stop.md",
        "./stop",
        "../api/v2.md",
        "../nowhere/stop.md",
        "/docs/guide/stop",
        "/guide/stop.html",
        "stop#first-steps",
        "stop/",
    ] {
        assert_eq!(missing(target), Some(Missing::Page), "{target}");
    }
}

#[test]
fn leaves_alone_what_is_not_a_page_of_the_set() {
    for target in [
        "photo.png",
        "/files/terms.pdf",
        "clip.mp4?t=3",
        "mailto:a@b.example",
        "https://b.example/x.md",
        "//cdn.example/x",
        "tel:123",
        "obsidian://open",
        "/shop/basket",
        "../../../README.md",
        "{{ url }}/x.md",
        "<%= x %>.md",
        "${base}/x.md",
        "~/alias/x.md",
        "@/alias",
        "",
        "shop/basket",
    ] {
        assert_eq!(missing(target), None, "{target}");
    }
}

#[test]
fn without_an_address_the_files_are_enough() {
    let mut pages = [page("rules/a.md", &["one"]), page("rules/b.md", &["two"])];
    pages.iter_mut().for_each(|page| page.url = String::new());
    let map = Map::new(&pages, "");
    let missing = |target| map.find(0, target).and_then(|found| found.missing);
    assert_eq!(missing("b.md#two"), None);
    assert_eq!(missing("b.md#one"), Some(Missing::Anchor));
    assert_eq!(missing("c.md"), Some(Missing::Page));
}

#[test]
fn a_name_means_any_note_of_this_name() {
    let mut pages =
        [page("Plugins/View.md", &[]), page("Plugins/Other.md", &[]), page("Notes/Properties.md", &["Deprecated"])];
    pages[0].aliases = vec!["Plugins/properties".into()];
    let map = Map::new(&pages, "");
    assert_eq!(map.find(1, "Properties#Deprecated").unwrap().missing, None);
    assert_eq!(map.find(1, "Properties#Old").unwrap().missing, Some(Missing::Anchor));
    assert_eq!(map.find(1, "/plugins/properties/").unwrap().missing, None);
}

#[test]
fn an_address_is_missing_where_most_others_of_its_folder_are_found() {
    let broken = |targets: &[&str]| {
        let mut pages: Vec<Page> = ["a.md", "b.md", "c.md", "d.md"].iter().map(|file| page(file, &[])).collect();
        pages.iter_mut().for_each(|page| page.url = page.file.replace(".md", ""));
        let links = targets.iter().map(|target| (0, (*target).to_string())).collect();
        Links { pages, links }.broken("").into_iter().map(|link| link.target).collect::<Vec<_>>()
    };
    assert_eq!(broken(&["/a", "/b/", "/c#", "/shop"]), ["/shop"]);
    assert_eq!(broken(&["/a", "/a/", "/b", "/shop"]), [""; 0]);
    assert_eq!(broken(&["/a", "/shop", "gone.md"]), ["gone.md"]);
    assert_eq!(broken(&["gone.md", "gone.md"]), ["gone.md"]);
    assert_eq!(broken(&["/a", "/b", "/c", "/d", "/one", "/two"]), [""; 0]);
}

proptest::proptest! {
    #[test]
    fn no_target_panics(target in "\\PC{0,40}|[a-z./#?%:~@ {}-]{0,30}") {
        let _ = missing(&target);
    }
}
