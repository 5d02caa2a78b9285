//! Pages to look at: self-contained HTML files, and single pictures as SVG.
//!
//! A page is plain data ([`Page`], [`Section`], [`Figure`]). Templates in `templates/`, compiled into the program,
//! render it. This module plays and counts nothing.
//!
//! Every text is escaped when it is inserted. The only exception is [`Markup`], which a template has made.

mod best;
mod changes;
mod chapter;
mod charts;
mod differences;
mod drawing;
mod fight;
mod figure;
mod findings;
mod made;
mod matchup;
#[cfg(feature = "odds")]
mod odds;
mod page;
mod palette;
mod report;
mod scale;
mod sides;
mod sweep;
pub mod timeline;
mod tune;
mod words;

pub use chapter::{Background, Chapter, ChapterError, Files, Part, RulingInForce};
pub use figure::{Figure, Markup, Table, TableColumn};
pub use findings::findings;
#[cfg(feature = "odds")]
pub(crate) use odds::odds;
pub use page::{Page, PageBlock, Section};
pub use report::{figures, page, room};
pub use sides::Sides;

use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, HtmlEscape, UndefinedBehavior, Value};
use std::sync::LazyLock;

/// The templates: name and source.
const TEMPLATES: [(&str, &str); 9] = [
    ("page.html", include_str!("templates/page.html")),
    ("section.html", include_str!("templates/section.html")),
    ("figure.html", include_str!("templates/figure.html")),
    ("table.html", include_str!("templates/table.html")),
    ("drawing.svg", include_str!("templates/drawing.svg")),
    ("chart.css", include_str!("templates/chart.css")),
    ("style.css", include_str!("templates/style.css")),
    ("timeline.svg", include_str!("templates/timeline.svg")),
    ("timeline.css", include_str!("templates/timeline.css")),
];

static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    // Any value in a template may be a name from an untrusted file.
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    // Tags on a line of their own leave no blank line behind.
    let syntax = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .build();
    environment.set_syntax(syntax.unwrap_or_default());
    environment.add_filter("prose", prose);
    for (name, source) in TEMPLATES {
        environment
            .add_template(name, source)
            .unwrap_or_else(|error| unreachable!("the template `{name}` is wrong: {error:#}"));
    }
    environment
});

/// Sets text between backticks as code.
fn prose(text: &str) -> Value {
    let pieces = text.split('`').enumerate().map(|(at, piece)| {
        let piece = HtmlEscape(piece);
        match at % 2 {
            1 => format!("<code>{piece}</code>"),
            _ => piece.to_string(),
        }
    });
    let is_paired = text.matches('`').count().is_multiple_of(2);
    let whole = || HtmlEscape(text).to_string();
    Value::from_safe_string(if is_paired { pieces.collect() } else { whole() })
}

/// Renders a template with a context.
///
/// # Panics
/// If there is no such template, or the context lacks a value that the template uses. Both are bugs.
pub(crate) fn render(name: &str, context: Value) -> Markup {
    let rendered = ENVIRONMENT
        .get_template(name)
        .and_then(|template| template.render(context));
    match rendered {
        Ok(text) => Markup::trusted(text),
        Err(error) => unreachable!("the template `{name}` fails: {error:#}"),
    }
}

#[cfg(test)]
mod tests;
