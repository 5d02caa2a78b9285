//! The content of pages, and the safety of their sources.

use super::{DUEL, all, assert_is_sound, page_of, rows, text, tree};
use crate::support::TestDir;
use skirmish::cli::Exit;

#[test]
fn a_scenario_with_variants_is_answered_in_words_and_pictures() {
    let dir = TestDir::with_duel(DUEL);
    let page = page_of(&dir, "report duel.toml -n 2k -q -o page.html");
    assert_is_sound(&page);
    let document = tree(&page);
    let root = document.root_element();
    let mut outline = Vec::new();
    for node in root.descendants() {
        match node.tag_name().name() {
            "h1" | "h2" | "pre" => outline.push(text(node)),
            "h3" => outline.push(format!("  {}", text(node))),
            "p" if node.attribute("class") == Some("lead") => outline.push(text(node)),
            "li" if all(node, "a").is_empty() => outline.push(format!("- {}", text(node))),
            _ => {}
        }
    }
    insta::assert_snapshot!(outline.join("\n"));
}

#[test]
fn each_chapter_names_the_command_of_the_whole_page() {
    let dir = TestDir::with_duel(DUEL);
    dir.write("other.toml", DUEL);
    dir.run("run duel.toml -n 200 -q -o res").assert_done();
    for inputs in ["duel.toml other.toml -n 200", "res/duel other.toml -n 200"] {
        let words = format!("report {inputs} -o page.html");
        let page = page_of(&dir, &words);
        let commands = tree(&page);
        let root = commands.root_element();
        let commands = all(root, "pre").into_iter().map(text);
        let commands: Vec<_> = commands.filter(|one| one.contains("report ")).collect();
        assert_eq!(commands.len(), 2, "{commands:?}");
        for command in commands {
            assert!(command.contains(&format!("skirmish {words}")), "{command}");
        }
        assert_eq!(page_of(&dir, &words), page);
    }
}

#[test]
fn a_picture_stays_as_it_is() {
    let dir = TestDir::with_duel(DUEL);
    let page = page_of(
        &dir,
        "report duel.toml -n 200 -q --variant base -o page.html",
    );
    let start = page.find("<figure id=\"wins\"").unwrap();
    let end = page[start..].find("</figure>").unwrap();
    insta::assert_snapshot!(&page[start..start + end]);
}

#[test]
fn every_page_is_sound() {
    let dir = TestDir::with_duel(DUEL);
    dir.write("builds.toml", crate::matchup::THREE);
    for command in [
        "run duel.toml -n 300 -q -o res --report page.html",
        "compare duel.toml -n 300 -q -o res --report page.html",
        "sweep duel.toml -n 200 -q -o res --vary combatants.monster.health=20..60:10 --threshold 50% \
         --report page.html",
        "sweep duel.toml -n 200 -q -o res --vary combatants.monster.health=20..40:10 --vary \
         combatants.combatant.armor=2..4 --metric win_rate --metric rounds --report page.html",
        "sweep duel.toml -n 200 -q -o res --vary rules.round=full,simple --report page.html",
        "sensitivity duel.toml -n 200 -q -o res --report page.html",
        "knockout duel.toml -n 200 -q -o res --report page.html",
        "matchup builds.toml -n 200 -q -o res --report page.html",
        "report res/builds -o page.html",
        "odds --pool 1..5 --difficulty 3..9 --report page.html",
        "odds --pool 5 --vary botch=ones-exceed,no-success --report page.html",
        "odds 2d10+7 vs 2d10+5 --report page.html",
        "odds --pool 6 --difficulty 6 --report page.html",
        "report res/duel -o page.html",
        "report duel.toml res/duel -n 200 -q -o page.html",
    ] {
        assert_is_sound(&page_of(&dir, command));
    }
}

#[test]
fn every_column_of_a_matchup_has_its_name() {
    let dir = TestDir::empty();
    let long = "Heavily armoured knight of the long name";
    let builds = crate::matchup::THREE.replace("name = \"hammer\"", &format!("name = \"{long}\""));
    dir.write("builds.toml", builds);
    let page = page_of(
        &dir,
        "matchup builds.toml -n 50 -q -o res --report page.html",
    );
    let document = tree(&page);
    let figures = all(document.root_element(), "svg");
    let matrix = figures[0]
        .descendants()
        .filter(|one| one.has_tag_name("text"));
    let drawn: Vec<String> = matrix.map(text).collect();
    // As a row and as a column.
    for name in ["knives", "shield"] {
        assert_eq!(
            drawn.iter().filter(|one| *one == name).count(),
            2,
            "{drawn:#?}"
        );
    }
    let cut = drawn.iter().filter(|one| one.starts_with("Heavily"));
    assert_eq!(cut.count(), 2, "{drawn:#?}");
}

#[test]
fn what_was_checked_stands_beside_what_was_wanted() {
    let dir = TestDir::with_duel(DUEL);
    let claim = "[[expect]]\nmetric = \"win_rate\"\nside = \"heroes\"\nbetween = [0.4, 0.7]\n";
    dir.write("wish.toml", format!("{DUEL}\n{claim}"));
    let page = page_of(&dir, "check wish.toml -n 1k -q --report page.html");
    assert_is_sound(&page);
    let document = tree(&page);
    let table = rows(all(document.root_element(), "table")[0]);
    assert_eq!(
        table[1][..3],
        ["passed", "win_rate of heroes, base", "40% to 70%"]
    );
}

/// Ranges that are open at one end reach to the end of the plot.
#[test]
fn a_chart_has_room_for_ranges_without_an_end() {
    let dir = TestDir::with_duel(DUEL);
    let claims = [
        "metric = \"rounds\"\nmin = 1.5",
        "metric = \"rounds\"\nmax = 9",
        "metric = \"rounds\"\nbetween = [1, 9]",
    ];
    let claims = claims.map(|claim| format!("[[expect]]\n{claim}\n"));
    dir.write("wish.toml", format!("{DUEL}\n{}", claims.concat()));
    let page = page_of(&dir, "check wish.toml -n 1k -q --report page.html");
    assert_is_sound(&page);
    let document = tree(&page);
    let wanted = all(document.root_element(), "rect").into_iter();
    let wanted = wanted.filter(|rect| rect.attribute("class") == Some("want"));
    let width = wanted.map(|rect| rect.attribute("width").unwrap().parse().unwrap());
    let widths: Vec<f64> = width.collect();
    assert_eq!(widths.len(), 3);
    assert!(widths.iter().all(|width| *width > 10.0), "{widths:?}");
}

#[test]
fn a_grid_without_room_for_its_numbers_has_a_key() {
    let dir = TestDir::with_duel(DUEL);
    for (columns, key) in [(2, 0), (30, 7)] {
        let command = format!(
            "sweep duel.toml --vary combatants.monster.health=20..21 -n 20 -q \
             --vary combatants.combatant.health=20..{} --report page.html",
            19 + columns
        );
        let page = page_of(&dir, &command);
        let document = tree(&page);
        let figure = all(document.root_element(), "figure")[0];
        let cells = all(figure, "rect").into_iter();
        let is_cell = |class: &str| class.starts_with("cell h");
        let cells = cells.filter(|cell| cell.attribute("class").is_some_and(is_cell));
        assert_eq!(cells.count(), 2 * columns + key, "{columns}");
    }
}

#[test]
fn neither_threads_nor_a_second_time_change_a_byte() {
    let dir = TestDir::with_duel(DUEL);
    let one = page_of(&dir, "report duel.toml -n 2k -q --threads 1 -o page.html");
    let two = page_of(&dir, "report duel.toml -n 2k -q --threads 2 -o page.html");
    assert!(one == two);
}

#[test]
fn names_stay_names() {
    let name = "<script>alert(&'1')</script> and so on and on and on, 64 letters";
    let quoted = format!("\"{name}\"");
    let title = format!("'''{name} \" quotes'''");
    let text = DUEL
        .replace("\"simple round\"", &quoted)
        .replace("\"Three attacks against one big one\"", &title)
        .replace("\"monsters\"", &quoted)
        .replace("name = \"monster\"", &format!("name = {quoted}"));
    let dir = TestDir::with_duel(DUEL);
    dir.write("duel.toml", &text);
    let page = page_of(&dir, "report duel.toml -n 200 -q -o page.html");
    assert_is_sound(&page);
    // The only script is the page's own.
    assert_eq!(page.matches("<script").count(), 1);
    let outcome = dir.run("sensitivity duel.toml -n 100 -q -o res --report page.html");
    assert_eq!(outcome.exit, Exit::Done, "{}", outcome.err);
    assert_is_sound(&dir.read("page.html"));
}

#[test]
fn all_timeouts_and_one_encounter_make_a_page() {
    let dir = TestDir::with_duel(DUEL);
    let still = DUEL.replace("\"attack\",", "\"pass\",");
    dir.write("still.toml", &still);
    let page = page_of(&dir, "report still.toml -n 50 -q -o page.html");
    assert_is_sound(&page);
    assert!(page.contains("every encounter hit the round limit undecided"));
    assert_is_sound(&page_of(&dir, "report duel.toml -n 1 -q -o page.html"));
}

#[test]
fn tab_stops_are_few() {
    let dir = TestDir::with_duel(DUEL);
    let page = page_of(&dir, "report duel.toml -n 200 -q -o page.html");
    // The browser test covers what the script does.
    let (page, _) = page.rsplit_once("<script>").unwrap();
    let figures = page.matches("<figure").count();
    // Each figure has one tab stop for the picture and one for the table; the tables at the end have more. Each action
    // of an encounter is a tab stop of its own.
    let deeds = page.matches("tabindex=\"0\" role=\"img\"").count();
    assert!(page.matches("tabindex").count() - deeds <= 2 * figures + 5);
}

#[test]
fn a_page_lets_nothing_in_from_elsewhere_and_runs_its_own_script_alone() {
    use sha2::{Digest, Sha256};
    let dir = TestDir::with_duel(DUEL);
    let page = page_of(&dir, "run duel.toml -n 20 -q -o res --report page.html");
    let document = super::tree(&page);
    let policies: Vec<&str> = super::all(document.root_element(), "meta")
        .iter()
        .filter(|meta| meta.attribute("http-equiv") == Some("Content-Security-Policy"))
        .filter_map(|meta| meta.attribute("content"))
        .collect();
    let [policy] = policies[..] else {
        panic!("{policies:?}");
    };
    assert!(policy.starts_with("default-src 'none'; "), "{policy}");
    assert!(
        policy.contains("base-uri 'none'; form-action 'none'"),
        "{policy}"
    );
    // The policy admits the script by the hash of all its bytes.
    let (_, script) = page.rsplit_once("<script>").unwrap();
    let (script, _) = script.split_once("</script>").unwrap();
    let (_, known) = policy.split_once("script-src 'sha256-").unwrap();
    let (known, _) = known.split_once('\'').unwrap();
    assert_eq!(known.len(), 44);
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let sixes: Vec<u32> = known
        .trim_end_matches('=')
        .chars()
        .map(|c| letters.find(c).unwrap() as u32)
        .collect();
    let bytes: Vec<u8> = (0..32)
        .map(|byte| {
            let bit = |at: usize| sixes[at / 6] >> (5 - at % 6) & 1;
            (0..8).fold(0, |all, at| all << 1 | bit(8 * byte + at)) as u8
        })
        .collect();
    assert_eq!(bytes, Sha256::digest(script).to_vec());
}
