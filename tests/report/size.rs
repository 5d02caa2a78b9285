//! A page must be small enough to mail: less than 500 kB for any fight.

use super::{DUEL, all, assert_is_sound, is_encounter, page_of, rows, text, tree};
use crate::support::TestDir;
use roxmltree::Node;
use skirmish::cli::Exit;
use std::collections::HashMap;
use std::fs;

const MOST: usize = 500_000;

/// Returns the scenario with more combatants than any other shipped one: a base and five variants.
fn party() -> String {
    let party = concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios/party.toml");
    fs::read_to_string(party).unwrap()
}

/// Returns that scenario with `heroes` of each hero, `brutes` brutes and `shamans` shamans.
fn crowd(heroes: usize, brutes: usize, shamans: usize) -> String {
    let mut text = party().replace("count = 3\n", &format!("count = {brutes}\n"));
    for hero in ["warrior", "rogue", "archer", "mage"] {
        let name = format!("name = \"{hero}\"\n");
        text = text.replacen(&name, &format!("{name}count = {heroes}\n"), 1);
    }
    let name = "name = \"shaman\"\n";
    let text = text.replacen(name, &format!("{name}count = {shamans}\n"), 1);
    // Removes the expectations, which are about the original fight, and the last variant, so that the base and four
    // remain.
    let (variants, _) = text.split_once("# What `skirmish check`").unwrap();
    variants.rsplit_once("[[variants]]").unwrap().0.to_owned()
}

fn figure<'a, 'i>(root: Node<'a, 'i>, id: &str) -> Node<'a, 'i> {
    let figures = all(root, "figure");
    let found = figures
        .into_iter()
        .find(|one| one.attribute("id") == Some(id));
    found.unwrap()
}

fn note(figure: Node<'_, '_>) -> String {
    let paragraphs = all(figure, "p");
    let note = paragraphs
        .into_iter()
        .find(|one| one.attribute("class") == Some("note"));
    text(note.unwrap())
}

#[test]
fn many_encounters_of_a_party_in_every_variant_make_a_small_page() {
    let dir = TestDir::with_duel(DUEL);
    dir.write("party.toml", party());
    let page = page_of(&dir, "report party.toml -n 20k -q -o page.html");
    assert_is_sound(&page);
    assert!(page.len() < MOST, "{}", page.len());
    let document = tree(&page);
    let root = document.root_element();
    // The page shows every combatant and at least one encounter with its story.
    let table = rows(all(figure(root, "standing"), "table")[0]);
    let named = |name: &str| table.iter().any(|row| row[1] == name);
    assert!(
        ["warrior", "brute 1", "brute 3", "shaman"]
            .into_iter()
            .all(named)
    );
    assert!(all(root, "figure").into_iter().any(is_encounter));
}

#[test]
fn eight_a_side_make_a_small_page() {
    let dir = TestDir::with_duel(DUEL);
    dir.write("eight.toml", crowd(2, 7, 1));
    let page = page_of(&dir, "report eight.toml -n 2k -q -o page.html");
    assert_is_sound(&page);
    assert!(page.len() < MOST, "{}", page.len());
    assert!(page.contains("brute 7"));
}

#[test]
fn of_a_huge_fight_the_page_says_what_it_leaves_out_and_where_that_is() {
    let dir = TestDir::with_duel(DUEL);
    dir.write("huge.toml", crowd(5, 18, 2));
    let page = page_of(&dir, "report huge.toml -n 200 -q -o page.html");
    assert_is_sound(&page);
    assert!(page.len() < MOST, "{}", page.len());
    let document = tree(&page);
    let root = document.root_element();
    let note = [note(figure(root, "standing")), note(figure(root, "damage"))];
    assert!(note[0].contains("of 40 combatants"), "{note:?}");
    assert!(note[0].contains("distributions.csv has them"), "{note:?}");
    assert!(note[1].contains("summary.csv has all"), "{note:?}");
    // Each group is represented by its first members.
    let table = rows(all(figure(root, "damage"), "table")[0]);
    for name in ["warrior 1", "mage 1", "brute 1", "shaman 2"] {
        assert!(table.iter().any(|row| row[1] == name), "{name}");
    }
    // The page names a command that draws the encounters for which it has no room.
    let commands = all(root, "pre").into_iter().map(text);
    let commands: Vec<String> = commands.filter(|one| one.contains(" trace ")).collect();
    assert!(!commands.is_empty());
    let command = commands[0].strip_prefix("skirmish ").unwrap();
    let outcome = dir.run(command);
    assert_eq!(outcome.exit, Exit::Done, "{command}: {}", outcome.err);
    let (_, file) = command.rsplit_once(" -o ").unwrap();
    let drawn = dir.read(file);
    assert_eq!(all(tree(&drawn).root_element(), "figure").len(), 1);
}

#[test]
fn a_curve_ends_where_hardly_an_encounter_goes_on() {
    let dir = TestDir::with_duel(DUEL);
    let page = page_of(&dir, "run duel.toml -n 20k -q -o res --report page.html");
    let document = tree(&page);
    let standing = figure(document.root_element(), "standing");
    assert!(note(standing).contains("fewer than 1 in 100 encounters of a variant reach"));
    let mut last: HashMap<String, u64> = HashMap::new();
    for row in &rows(all(standing, "table")[0])[1..] {
        let round: u64 = row[2].parse().unwrap();
        let end = last.entry(row[0].clone()).or_default();
        *end = round.max(*end);
    }
    let records = dir.rows("res/duel/distributions.csv");
    for (variant, end) in last {
        // The number of encounters that take `least` or more Rounds.
        let with = |least: u64| -> u64 {
            let of = records.iter().filter(|row| {
                row["variant"] == variant
                    && row["metric"] == "rounds"
                    && row["value"].parse::<u64>().unwrap() >= least
            });
            of.map(|row| row["count"].parse::<u64>().unwrap()).sum()
        };
        assert!(with(end) >= 200 && with(end + 1) < 200, "{variant}: {end}");
        assert!(with(end + 1) > 0, "{variant}: {end} leaves nothing out");
    }
}

#[test]
fn hundreds_of_variants_make_a_small_page_that_says_what_it_leaves_out() {
    let dir = TestDir::with_duel(DUEL);
    let variants = (1..=150).map(|number| {
        let health = 1000 + number;
        format!(
            "\n[[variants]]\nname = \"variant {number}\"\n\
             set = {{ \"combatants.monster.health\" = {health} }}\n"
        )
    });
    let text = super::DUEL.to_owned() + &variants.collect::<String>();
    dir.write("many.toml", &text);
    for command in [
        "run many.toml -n 4 -q -o res --report page.html",
        "report res/many -q -o page.html",
    ] {
        let page = page_of(&dir, command);
        assert_is_sound(&page);
        assert!(page.len() < MOST, "{command}: {}", page.len());
        let document = tree(&page);
        let note = note(figure(document.root_element(), "wins"));
        assert!(note.contains("of 152 variants"), "{note}");
        // Only variants that a figure shows have a switch.
        let (_, first) = note.split_once("the first ").unwrap();
        let shown: usize = first.split(' ').next().unwrap().parse().unwrap();
        assert_eq!(all(document.root_element(), "input").len(), shown, "{note}");
        assert!(
            page.contains("variant 7") && page.contains("more variants are in"),
            "{command}"
        );
    }
}
