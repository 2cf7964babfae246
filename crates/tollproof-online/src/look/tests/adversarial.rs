//! Pages that make parsers slow or large.

use std::time::{Duration, Instant};

use super::super::html::parse;
use super::super::page::read;

#[test]
fn hostile_html_is_bounded() {
    let formatting: String = (0..20_000).map(|it| format!("<b id={it}>")).collect();
    let attributes: String = (0..200_000).map(|it| format!(" a{it}=1")).collect();
    for (name, text) in [
        ("deep", "<div>".repeat(600_000)),
        ("deep tables", "<table><tr><td>".repeat(100_000)),
        ("scope", format!("{}{}", "<div>".repeat(100_000), "</p>".repeat(300_000))),
        ("formatting", format!("{formatting}{}", "<p>x".repeat(500_000))),
        ("attributes", format!("<p{attributes}>x")),
        ("adoption", format!("{}{}", "<a><div>".repeat(60_000), "</a>".repeat(60_000))),
        ("forms", "<form><input type=tel><input type=checkbox checked>".repeat(50_000)),
        ("labels", "<label>".repeat(300_000)),
        ("entities", "&lt;&notanentity".repeat(150_000)),
        ("comments", "<!--".repeat(600_000)),
        ("templates", "<template>".repeat(200_000)),
        ("svg", "<svg><foreignObject>".repeat(100_000)),
        ("text", "a ".repeat(1_400_000)),
        ("one word", "a".repeat(2_900_000)),
        ("long names", {
            let names = r#"<input type=checkbox aria-labelledby="a a a a a a a a a a">"#.repeat(5_000);
            format!("<p id=a>{}</p>{names}", " ".repeat(1_200_000))
        }),
        ("options", format!("<select>{}", "<option>x".repeat(200_000))),
    ] {
        let since = Instant::now();
        let page = read(text.as_bytes(), None, &"http://a.test/".parse().expect("it is one"), true);
        // A build without optimization is slow by itself.
        assert!(since.elapsed() < Duration::from_secs(60), "{name}: {:?}", since.elapsed());
        assert!(page.seen.forms.len() <= 10 && page.seen.consent.chars().count() <= 4_000);
    }
    assert!(parse(&"<div>".repeat(10_000)).is_full() && !parse(&"<div>x</div>".repeat(10_000)).is_full());
}
