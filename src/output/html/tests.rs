//! Tests of what all pages share.

use super::*;

fn figure(title: &str) -> Figure {
    let rows = [[title, "1"].map(str::to_owned).into_iter()];
    let table = Table::new(&["name"], &["value"]);
    let mut table = table.of("summary.csv", &[("variant", title)], rows.into_iter());
    table.row(vec![title.to_owned(), "1".to_owned()]);
    Figure {
        id: "a-figure".to_owned(),
        title: title.to_owned(),
        description: title.to_owned(),
        svg: Markup::trusted("<svg><g/></svg>".to_owned()),
        folded: None,
        table,
        note: Some(title.to_owned()),
    }
}

fn page(text: &str) -> Page {
    let text = text.to_owned();
    Page {
        title: text.clone(),
        subtitle: Some(text.clone()),
        sections: vec![Section {
            id: "a-section".to_owned(),
            title: text.clone(),
            blocks: vec![
                PageBlock::Lead(text.clone()),
                PageBlock::Paragraph(text.clone()),
                PageBlock::List(vec![text.clone()]),
                PageBlock::Command(text.clone()),
                PageBlock::Figure(figure(&text)),
                PageBlock::Table(figure(&text).table),
            ],
        }],
        footer: vec![text],
    }
}

#[test]
fn whatever_a_name_is_made_of_it_stays_text() {
    let name = r#"<script>alert("&'")</script>"#;
    let html = page(name).html().to_string();
    // The only script is the page's own, at its end.
    let (html, script) = html.rsplit_once("<script>").expect("a script");
    assert!(script.contains(include_str!("templates/keys.js").trim()));
    assert!(!html.contains("<script"), "{html}");
    assert!(!html.contains("&'"), "{html}");
    // Head, title, subtitle, section, six blocks (a figure has it six times, a table three times) and footer.
    assert_eq!(html.matches("&lt;script&gt;").count(), 18);
}

#[test]
fn a_picture_is_put_in_as_it_is() {
    let html = page("plain").html().to_string();
    assert!(html.contains("<svg><g/></svg>"));
}
