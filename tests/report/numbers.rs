//! The numbers of a page equal those of the files, cell by cell.

use super::{DUEL, all, linked, page_of, rows, tree};
use crate::support::{Row, TestDir};
use std::collections::HashMap;

/// Returns whether a cell of a file is shown with about four digits, in per cent or as it is.
fn reads_as(cell: &str, shown: &str) -> bool {
    let known = (
        cell.parse::<f64>(),
        shown.trim_end_matches(['%', ' ']).parse::<f64>(),
    );
    let (Ok(exact), Ok(number)) = known else {
        return cell == shown || [("true", "yes"), ("false", "no")].contains(&(cell, shown));
    };
    let exact = if shown.ends_with('%') {
        100.0 * exact
    } else {
        exact
    };
    (exact - number).abs() <= 0.0006 * exact.abs()
}

/// Compares each table that names its source file, and the link below it, with that file; returns the number of rows.
fn held(dir: &TestDir, page: &str, folder: &str) -> usize {
    let document = tree(page);
    let mut files: HashMap<String, Vec<Row>> = HashMap::new();
    let mut count = 0;
    for table in all(document.root_element(), "table") {
        let Some(file) = table.attribute("data-csv") else {
            continue;
        };
        let known = files
            .entry(file.to_owned())
            .or_insert_with(|| dir.rows(&format!("{folder}/{file}")));
        let fixed: Vec<(String, &str)> = table
            .attributes()
            .filter_map(|one| Some((one.name().strip_prefix("data-")?, one.value())))
            .filter(|(name, _)| *name != "csv")
            .map(|(name, value)| (name.replace('-', "_"), value))
            .collect();
        let (shown, linked) = (rows(table), linked(table));
        assert_eq!(shown.len(), linked.len());
        let names = linked[0].iter().map(|name| name.replace('_', " "));
        assert!(names.eq(shown[0].iter().cloned()), "{shown:?}");
        let (head, rows) = linked.split_first().unwrap();
        for (row, shown) in rows.iter().zip(&shown[1..]) {
            for (cell, shown) in row.iter().zip(shown) {
                assert!(reads_as(cell, shown), "{cell} is shown as {shown}");
            }
            let same = |record: &Row| {
                fixed.iter().all(|(name, value)| record[name] == *value)
                    && head
                        .iter()
                        .zip(row)
                        .all(|(name, cell)| record[name] == *cell)
            };
            assert_eq!(
                known.iter().filter(|one| same(one)).count(),
                1,
                "{file}: {row:?}"
            );
            count += 1;
        }
    }
    count
}

#[test]
fn a_page_shows_what_a_run_writes() {
    let dir = TestDir::with_duel(DUEL);
    let page = page_of(&dir, "run duel.toml -n 2k -q -o res --report page.html");
    assert!(held(&dir, &page, "res/duel") > 100);
    // Results computed for the page alone are the same.
    let page = page_of(
        &dir,
        "report duel.toml -n 2k -q --variant base -o page.html",
    );
    assert!(held(&dir, &page, "res/duel") > 50);
}

#[test]
fn a_page_of_a_scenario_holds_its_variants_against_each_other_as_compare_does() {
    let dir = TestDir::with_duel(DUEL);
    dir.run("run duel.toml -n 1k -q -o res");
    dir.run("compare duel.toml -n 1k -q -o res");
    let page = page_of(&dir, "report duel.toml -n 1k -q -o page.html");
    assert!(page.contains("data-csv=\"comparisons.csv\""));
    held(&dir, &page, "res/duel");
    // A folder with the same results produces the same figures.
    let again = page_of(&dir, "report res/duel -o page.html");
    let pictures = |page: &str| {
        let figures = page.split("<figure").skip(1);
        // A folder has no single encounters to show.
        let of_all = |figure: &&str| !figure.contains("id=\"encounter-");
        let figures: Vec<String> = figures
            .filter(of_all)
            .map(|figure| figure.split("</figure>").next().unwrap().to_owned())
            .map(|figure| without_colours(&figure))
            .collect();
        figures
    };
    assert_eq!(pictures(&page), pictures(&again));
}

/// Removes the colours: results do not name the side of a combatant, so its colour may differ.
fn without_colours(figure: &str) -> String {
    let mut pieces = figure.split(" class=\"");
    let first = pieces.next().unwrap().to_owned();
    pieces.fold(first, |text, piece| text + piece.split_once('"').unwrap().1)
}

#[test]
fn pages_of_sweeps_and_sensitivities_show_their_files() {
    let dir = TestDir::with_duel(DUEL);
    let page = page_of(
        &dir,
        "sweep duel.toml -n 200 -q -o res --vary combatants.monster.health=20..60:10 --vary \
         combatants.combatant.armor=2..4 --report page.html",
    );
    // The win rates of the other side would be a mirror image.
    assert_eq!(held(&dir, &page, "res/duel"), 5 * 3);
    let page = page_of(
        &dir,
        "sensitivity duel.toml -n 100 -q -o res --report page.html",
    );
    assert_eq!(held(&dir, &page, "res/duel"), 20);
}

#[test]
fn the_table_of_a_grid_is_what_odds_prints_for_programs() {
    let dir = TestDir::with_duel(DUEL);
    let page = page_of(
        &dir,
        "odds --pool 1..4 --difficulty 5..8 --report page.html",
    );
    let rows_file = dir
        .run("odds --pool 1..4 --difficulty 5..8 --format csv")
        .out;
    dir.write("odds.csv", &rows_file);
    assert_eq!(held(&dir, &page, "."), 16);
}
