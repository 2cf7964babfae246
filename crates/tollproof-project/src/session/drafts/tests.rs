//! Tests of drafts as reports get them.

use tollproof_core::Linter;

use super::*;

fn drafts(name: &str, text: &str) -> TextDrafts {
    let source = Source::new(name, text);
    let parsed = Parsed::of(&source, None);
    let report = Linter::builtin().check(&parsed, KindHint::Explicit, &Default::default());
    TextDrafts::of(&parsed, KindHint::Explicit, &report, None)
}

#[test]
fn a_table_keeps_its_cells_and_knows_their_fields() {
    let text =
        "\u{feff}\n;Business_Name;Zip (5 digits);Zip\n1;\"Acme; \"\"A\"\"\nInc\";02134;9\r\n\n2;b;;;x\n";
    let TextDrafts { table, drafts } = drafts("a.csv", text);
    let table = table.expect("it is a table");
    let names: Vec<&str> = table.columns.iter().map(|it| it.text.as_str()).collect();
    assert_eq!(names, ["", "Business_Name", "Zip (5 digits)", "Zip"]);
    assert_eq!((drafts[0].row, drafts[1].row), (Some(1), Some(2)));
    let cells = |at: usize| -> Vec<&str> { drafts[at].values.iter().map(|it| it.text.as_str()).collect() };
    assert_eq!(cells(0), ["1", "Acme; \"A\"\nInc", "02134", "9"]);
    assert_eq!(cells(1), ["2", "b", "", "", "x"]);
    assert_eq!(drafts[0].values[1].pointer, "/Business_Name");
    assert_eq!(drafts[0].values[1].column, 1);
}

#[test]
fn a_value_is_divided_at_a_part_of_it() {
    let text = "{\"businessName\": \"Say \\\"hi\\\" to\\u0020all\", \"useCase\": [\"a\", 1]}";
    let source = Source::new("a.json", text);
    let all = drafts("a.json", text);
    let values = &all.drafts[0].values;
    let pointers: Vec<&str> = values.iter().map(|it| it.pointer.as_str()).collect();
    assert_eq!(pointers, ["/businessName", "/useCase/0", "/useCase/1"]);
    assert_eq!(all.drafts[0].business.as_deref(), Some("Say \"hi\" to all"));
    let at = text.find("hi").expect("it is there");
    assert_eq!(
        values[0].split(&source, Span::new(at, at + 2)),
        ["Say \"", "hi", "\" to all"].map(str::to_owned)
    );
    let whole = values[0].split(&source, Span::new(0, text.len()));
    assert_eq!(whole, ["", "Say \"hi\" to all", ""].map(str::to_owned));
}

#[test]
fn yaml_is_shown_without_its_indentation() {
    let text =
        "businessName: >-\n  Acme\n  Flowers\nuseCaseSummary: |\n  one\n\n  two\nbusinessCity: 'L''Anse'\n";
    let all = drafts("a.yaml", text);
    let texts: Vec<&str> = all.drafts[0].values.iter().map(|it| it.text.trim_end()).collect();
    assert_eq!(texts, ["Acme Flowers", "one\n\ntwo", "L'Anse"]);
}
