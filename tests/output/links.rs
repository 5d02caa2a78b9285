//! Links between documentation pages have targets, and the site contains every page.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Appends the pages of a folder and its subfolders to `found`.
fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pages(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "md") {
            found.push(path);
        }
    }
}

fn all_pages() -> Vec<PathBuf> {
    let root = Path::new(ROOT);
    let mut found = vec![root.join("README.md"), root.join("CHANGELOG.md")];
    pages(&root.join("docs"), &mut found);
    pages(&root.join("examples"), &mut found);
    found.retain(|page| !page.ends_with("docs/book/SUMMARY.md"));
    found
}

/// Returns the text of a page without its code blocks.
fn prose(page: &Path) -> String {
    let text = fs::read_to_string(page).unwrap();
    let blocks = text.split("\n```");
    blocks.step_by(2).collect::<Vec<_>>().join("\n")
}

/// Returns the targets of the links in a text. A link may span two lines.
fn links(text: &str) -> Vec<String> {
    let ends = text.split("](").skip(1);
    ends.filter_map(|rest| Some(rest.split_once(')')?.0.to_owned()))
        .collect()
}

/// Returns the anchors of a page: its headings in lower case, without punctuation, with hyphens for spaces.
fn anchors(page: &Path) -> BTreeSet<String> {
    let text = prose(page);
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| {
        let heading = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = heading
            .chars()
            .filter(|c| c.is_alphanumeric() || "-_ ".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn links_of_the_documentation_lead_somewhere() {
    let mut checked = 0;
    let mut broken = Vec::new();
    for page in all_pages() {
        for link in links(&prose(&page)) {
            if link.starts_with("http") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = match file {
                "" => page.clone(),
                _ => page.parent().unwrap().join(file),
            };
            let leads = target.exists() && (anchor.is_empty() || anchors(&target).contains(anchor));
            if !leads {
                broken.push(format!("{}: {link}", page.display()));
            }
            checked += 1;
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
    assert!(checked > 200, "{checked}");
}

#[test]
fn the_tour_lists_every_scenario() {
    let docs = Path::new(ROOT).join("docs");
    let scenarios = Path::new(ROOT).join("scenarios").canonicalize().unwrap();
    let tour = fs::read_to_string(docs.join("TOUR.md")).unwrap();
    let listed: BTreeSet<PathBuf> = links(&tour)
        .iter()
        .filter_map(|link| docs.join(link).canonicalize().ok())
        .filter(|path| path.parent() == Some(&scenarios))
        .collect();
    let shipped: BTreeSet<PathBuf> = fs::read_dir(&scenarios)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    assert_eq!(listed, shipped);
}

#[test]
fn the_site_has_every_page() {
    let summary = fs::read_to_string(Path::new(ROOT).join("docs/book/SUMMARY.md")).unwrap();
    let listed: BTreeSet<PathBuf> = links(&summary)
        .iter()
        .map(|link| Path::new(ROOT).join(link))
        .collect();
    assert_eq!(listed, all_pages().into_iter().collect());
}
