//! How pages show sides, groups, timeouts and variants.

use super::{DUEL, all, assert_is_sound, is_encounter, page_of, rows, text, tree};
use crate::support::TestDir;
use roxmltree::Node;
use std::collections::{HashMap, HashSet};

/// Sixteen combatants in two groups, with a limit of 8 Rounds that ends some encounters.
const EIGHT: &str = include_str!("eight.toml");

/// Returns the report page of that fight.
fn eight(dir: &TestDir) -> String {
    dir.write("eight.toml", EIGHT);
    page_of(dir, "report eight.toml -n 400 -q -o page.html")
}

/// Returns the shapes that have a tooltip: the number of their colour, from 1, and the tooltip.
fn coloured<'a>(node: Node<'a, 'a>) -> Vec<(String, String)> {
    let titled = node.descendants().filter_map(|shape| {
        let title = shape.children().find(|one| one.has_tag_name(SVG_TITLE))?;
        let class = shape.attribute("class")?;
        let colour = class.split(' ').find(|one| is_colour(one))?;
        Some((colour[1..].to_owned(), text(title)))
    });
    titled.collect()
}

const SVG_TITLE: (&str, &str) = ("http://www.w3.org/2000/svg", "title");

fn is_colour(class: &str) -> bool {
    let mut letters = class.chars();
    matches!(letters.next(), Some('f' | 'l'))
        && class.len() == 2
        && class.as_bytes()[1].is_ascii_digit()
}

fn figure<'a>(root: Node<'a, 'a>, id: &str) -> Node<'a, 'a> {
    let mut figures = all(root, "figure").into_iter();
    figures.find(|one| one.attribute("id") == Some(id)).unwrap()
}

#[test]
fn a_side_has_one_hue_in_every_figure_and_in_timelines() {
    let dir = TestDir::with_duel(DUEL);
    let page = eight(&dir);
    assert_is_sound(&page);
    let document = tree(&page);
    let mut seen: HashMap<&str, HashSet<String>> = HashMap::new();
    let mut figures = 0;
    for figure in all(document.root_element(), "figure") {
        let mut told = coloured(figure);
        // An action has the colour of the acting combatant, whatever its target; attacks name both.
        for group in figure
            .descendants()
            .filter(|one| one.attribute("class") == Some("block"))
        {
            // A block has no label if the page has no room for tooltips.
            let Some(label) = group.attribute("aria-label") else {
                continue;
            };
            let shapes = group.descendants().filter_map(|one| one.attribute("class"));
            let classes = shapes
                .flat_map(|class| class.split(' '))
                .filter(|one| is_colour(one));
            told.extend(classes.map(|one| (one[1..].to_owned(), label.to_owned())));
        }
        figures += usize::from(!told.is_empty());
        for (colour, title) in told {
            let whose = [("raiders", "goblin"), ("town", "guard")].into_iter();
            let mut side =
                whose.filter(|(side, one)| title.starts_with(side) || title.starts_with(one));
            if let Some((side, _)) = side.next() {
                seen.entry(side).or_default().insert(colour);
            } else if title.contains("imeout") {
                seen.entry("timeout").or_default().insert(colour);
            }
        }
    }
    assert!(figures >= 8, "{figures}");
    for (whose, colour) in [("raiders", "1"), ("town", "2"), ("timeout", "8")] {
        assert_eq!(seen[whose], HashSet::from([colour.to_owned()]), "{whose}");
    }
}

#[test]
fn combatants_of_a_count_are_one_in_pictures_and_each_for_itself_in_tables() {
    let dir = TestDir::with_duel(DUEL);
    let page = eight(&dir);
    let document = tree(&page);
    for id in ["standing", "damage", "attacks"] {
        let figure = figure(document.root_element(), id);
        let [svg] = all(figure, "svg")[..] else {
            panic!("{id} has one picture")
        };
        let names = all(svg, "text").into_iter().map(text);
        let names: Vec<String> = names.filter(|name| name.contains("goblin")).collect();
        assert_eq!(names.len(), 1, "{id}: {names:?}");
        assert!(names[0].starts_with("goblin 1\u{2013}8"), "{id}");
        let table = rows(all(figure, "table")[0]);
        let names: HashSet<&str> = table.iter().map(|row| &*row[1]).collect();
        for number in 1..=8 {
            assert!(names.contains(&*format!("goblin {number}")), "{id}");
        }
    }
    // A group's value of each metric is the mean over its members.
    let damage = figure(document.root_element(), "damage");
    let table = rows(all(damage, "table")[0]);
    let means = table.iter().filter(|row| row[1].starts_with("goblin"));
    let means: Vec<f64> = means.map(|row| row[3].parse().unwrap()).collect();
    let mean = means.iter().sum::<f64>() / means.len() as f64;
    let told = coloured(damage);
    let (_, told) = told
        .iter()
        .find(|(_, told)| told.starts_with("goblin 1\u{2013}8"))
        .unwrap();
    let (_, shown) = told.split_once(": ").unwrap();
    let shown: f64 = shown.split(' ').next().unwrap().parse().unwrap();
    assert!((shown - mean).abs() < 0.06, "{shown} is not {mean}");
}

#[test]
fn timeouts_and_rare_lengths_are_numbers_beside_the_axis() {
    let dir = TestDir::with_duel(DUEL);
    // Wounded fighters give up, so about every other encounter reaches the limit.
    let duel = EIGHT
        .replace("count = 8", "count = 1")
        .replace("max_rounds = 8", "max_rounds = 90")
        .replace("[\"attack\",", "[\"attack if hp >= 12\",")
        .replace("position = 12", "position = 0");
    dir.write("duel.toml", &duel);
    let page = page_of(&dir, "report duel.toml -n 400 -q -o page.html");
    assert_is_sound(&page);
    let document = tree(&page);
    let rounds = figure(document.root_element(), "rounds");
    let texts: Vec<String> = all(all(rounds, "svg")[0], "text")
        .into_iter()
        .map(text)
        .collect();
    let told = texts.join(" ");
    let (_, timeouts) = told.split_once("timeout at 90: ").unwrap();
    let share: f64 = timeouts.split('%').next().unwrap().parse().unwrap();
    assert!((5.0..80.0).contains(&share), "{told}");
    // The axis ends with the decided encounters, long before the limit.
    for id in ["rounds", "standing"] {
        let standing = figure(document.root_element(), id);
        let texts = all(all(standing, "svg")[0], "text").into_iter().map(text);
        let ticks = texts.filter_map(|text| text.parse::<u64>().ok());
        assert!(ticks.max().unwrap() < 45, "{id}");
    }
    // Nobody is left of a side in as many encounters as the other wins; the bars are those of the living.
    let health = figure(document.root_element(), "health");
    assert!(text(all(health, "svg")[0]).contains("none left "));
    let bars = coloured(all(health, "svg")[0]);
    assert!(
        bars.iter().all(|(_, told)| !told.contains(", 0: ")),
        "{bars:?}"
    );
}

#[test]
fn a_sweep_draws_where_it_crosses_even() {
    let dir = TestDir::with_duel(DUEL);
    let page = page_of(
        &dir,
        "sweep duel.toml --vary combatants.monster.health=20..60:10 -n 200 -q -o res --report page.html",
    );
    let document = tree(&page);
    let svg = all(document.root_element(), "svg")[0];
    let classes: Vec<&str> = all(svg, "path").into_iter().map(class).collect();
    assert!(
        classes.contains(&"level") && classes.contains(&"level crossing"),
        "{classes:?}"
    );
    // The other side's curve would be its mirror image.
    assert_eq!(
        classes
            .iter()
            .filter(|class| class.contains(" curve "))
            .count(),
        1
    );
    let texts: Vec<String> = all(svg, "text").into_iter().map(text).collect();
    assert!(texts.contains(&"monster: health".to_owned()), "{texts:?}");
    let mut places = texts.iter().filter(|text| text.contains('.'));
    assert!(
        places.any(|place| place.parse::<f64>().is_ok()),
        "{texts:?}"
    );
}

#[test]
fn the_answer_is_a_table_of_variants_before_their_switches() {
    let dir = TestDir::with_duel(DUEL);
    let page = page_of(&dir, "report duel.toml -n 2k -q -o page.html");
    let document = tree(&page);
    let root = document.root_element();
    let table = all(root, "table")[0];
    let told = rows(table);
    assert_eq!(
        told[0],
        ["variant", "wins of heroes", "points against base"]
    );
    assert_eq!([&told[1][0], &told[2][0]], ["base", "simple round"]);
    assert!(
        told[1][2].is_empty() && told[2][2].starts_with('+'),
        "{told:?}"
    );
    let bars = all(table, "progress").into_iter();
    let bars: Vec<f64> = bars
        .map(|bar| bar.attribute("value").unwrap().parse().unwrap())
        .collect();
    assert!(
        bars[0] > 40.0 && bars[0] < bars[1] && bars[1] < 80.0,
        "{bars:?}"
    );
    assert!(page.find("class=\"rates").unwrap() < page.find("<fieldset").unwrap());
    // A comparison of another metric has a table of that.
    let command = "compare duel.toml --metric rounds -n 200 -q -o res --report page.html";
    let other = page_of(&dir, command);
    let other = tree(&other);
    let told = rows(all(other.root_element(), "table")[0]);
    assert_eq!(told[0], ["variant", "rounds", "Rounds against base"]);
    assert!(told.len() == 3 && told[2][2].contains(" to "), "{told:?}");
    // Each switch hides the elements that have its id as a class; all switches are on.
    let style = text(all(root, "style")[0]);
    let inputs = all(root, "input");
    assert_eq!(inputs.len(), 2);
    for input in inputs {
        let id = input.attribute("id").unwrap();
        assert!(input.has_attribute("checked"));
        let rule = format!("body:has(#{id}:not(:checked)) .{id}{{display:none}}");
        assert!(style.contains(&rule), "{style}");
        let hidden = root
            .descendants()
            .filter(|one| one.attribute("class") == Some(id));
        let kinds: HashSet<&str> = hidden.map(|one| one.tag_name().name()).collect();
        assert_eq!(kinds, HashSet::from(["g", "tr"]));
    }
    // With few encounters no variant can be said to win most often.
    let page = page_of(&dir, "report duel.toml -n 20 -q -o page.html");
    assert!(page.contains("Wins of heroes: the intervals of all variants overlap"));
    // The page of a single variant has neither the table nor switches.
    let page = page_of(
        &dir,
        "report duel.toml -n 200 -q --variant base -o page.html",
    );
    assert!(!page.contains("<input") && !page.contains("class=\"rates"));
}

#[test]
fn rows_of_encounters_lead_to_their_timelines() {
    let dir = TestDir::with_duel(DUEL);
    let page = eight(&dir);
    let document = tree(&page);
    let figures: Vec<Node<'_, '_>> = all(document.root_element(), "figure");
    let drawn: HashSet<String> = figures
        .into_iter()
        .filter(|figure| is_encounter(*figure))
        .map(|figure| format!("#{}", figure.attribute("id").unwrap()))
        .collect();
    let mut links = all(document.root_element(), "a");
    links.retain(|link| link.ancestors().any(|one| one.tag_name().name() == "th"));
    let titles: Vec<String> = links.iter().map(|link| text(*link)).collect();
    for kind in ["typical", "quickest", "longest"] {
        assert!(
            titles.iter().any(|title| title.contains(kind)),
            "{titles:?}"
        );
    }
    let targets: HashSet<String> = links
        .iter()
        .map(|link| link.attribute("href").unwrap().to_owned())
        .collect();
    assert_eq!(targets, drawn);
}

#[test]
fn numbers_that_cannot_be_negative_show_no_negative_end_and_no_negative_axis() {
    let dir = TestDir::with_duel(DUEL);
    dir.write("eight.toml", EIGHT);
    // Few encounters make wide intervals; one of the metrics is always 0.
    let page = page_of(
        &dir,
        "sweep eight.toml -n 4 -q -o res --vary combatants.goblin.move=10,11 --metric attacks_lost --metric damage --report page.html",
    );
    let run = page_of(&dir, "report eight.toml -n 4 -q -o page.html");
    for page in [page, run] {
        let (body, _) = page.rsplit_once("<script>").unwrap();
        let document = tree(&page);
        assert!(body.contains("attacks lost") || body.contains("id=\"damage\""));
        for svg in all(document.root_element(), "svg") {
            if svg.attribute("class") == Some("timeline") {
                continue;
            }
            let texts = all(svg, "text").into_iter().map(text);
            let negative: Vec<String> = texts
                .filter(|text| {
                    text.contains(['\u{2212}', '-']) && text.contains(|c: char| c.is_ascii_digit())
                })
                .collect();
            assert_eq!(negative, [""; 0]);
        }
    }
}

/// A fight of ten against ten, each with a name of its own.
fn ten_a_side(name: impl Fn(usize) -> String) -> String {
    let one = |at: usize| {
        let (side, place) = if at < 10 { ("raiders", 0) } else { ("town", 8) };
        let (name, health) = (name(at), 10 + at);
        format!(
            "{{ name = \"{name}\", side = \"{side}\", position = {place}, move = 6, evade = 11, health = {health}, \
             weapons = [\"axe\"], policy = [\"attack\", \"advance\"] }},\n"
        )
    };
    let all: String = (0..20).map(one).collect();
    format!(
        "title = \"ten a side\"\nsystem = \"tara-corax\"\nencounter.max_rounds = 30\n\
         rules.initiative = {{ mode = \"fixed\" }}\n\
         weapons.axe = {{ kind = \"melee\", check = {{ dice = \"1d20\", bonus = 2 }}, damage = \"1d6\" }}\n\
         combatants = [\n{}]\n",
        all.replace("move = 6", "initiative = 15, move = 6")
    )
}

#[test]
fn more_combatants_than_lines_can_show_are_the_rows_of_a_grid() {
    let dir = TestDir::with_duel(DUEL);
    let name = |at: usize| format!("fighter {}", char::from(b'a' + at as u8));
    dir.write("ten.toml", ten_a_side(name));
    let page = page_of(&dir, "report ten.toml -n 200 -q -o page.html");
    assert_is_sound(&page);
    let document = tree(&page);
    let standing = figure(document.root_element(), "standing");
    let svg = all(standing, "svg")[0];
    let curves = all(svg, "path").into_iter();
    assert_eq!(
        curves.filter(|one| class(*one).contains("curve")).count(),
        0
    );
    let words: Vec<String> = all(svg, "text").into_iter().map(text).collect();
    for at in 0..20 {
        assert!(words.contains(&name(at)), "{at}: {words:?}");
    }
    // Each cell has a tooltip, which is its name for screen readers, and a number.
    let cells = all(svg, "rect").into_iter();
    let cells: Vec<_> = cells
        .filter(|one| class(*one).starts_with("cell"))
        .collect();
    assert!(
        cells.len() >= 100 && cells.len().is_multiple_of(20),
        "{}",
        cells.len()
    );
    for cell in &cells {
        let title = text(*cell);
        assert!(
            title.starts_with("fighter ") && title.contains("end of Round"),
            "{title}"
        );
    }
    assert!(words.len() >= cells.len() + 20);
}

fn class<'a>(node: Node<'a, 'a>) -> &'a str {
    node.attribute("class").unwrap_or_default()
}

#[test]
fn long_names_are_whole_in_every_chart() {
    let dir = TestDir::with_duel(DUEL);
    let long = "with the banner of the Distant Shores, who";
    let name = |at: usize| format!("fighter {} {long}", char::from(b'a' + at as u8));
    dir.write("ten.toml", ten_a_side(name));
    let text = DUEL
        .replace("\"simple round\"", &format!("\"a simple Round {long}\""))
        .replace("\"heroes\"", &format!("\"heroes {long}\""))
        .replace("\"monsters\"", &format!("\"monsters {long}\""));
    dir.write("duel.toml", &text);
    for command in [
        "report ten.toml -n 100 -q -o page.html",
        "report duel.toml -n 100 -q -o page.html",
    ] {
        let page = page_of(&dir, command);
        let document = tree(&page);
        let charts = all(document.root_element(), "svg").into_iter();
        for chart in charts.filter(|one| class(*one).starts_with("chart")) {
            let cut = all(chart, "text").into_iter().map(super::text);
            let cut: Vec<String> = cut.filter(|text| text.contains('\u{2026}')).collect();
            assert!(cut.is_empty(), "{command}: {cut:?}");
        }
    }
}

#[test]
fn a_level_is_a_dashed_line_in_every_figure_of_a_search() {
    let dir = TestDir::with_duel(DUEL);
    let page = page_of(
        &dir,
        "tune duel.toml --vary combatants.monster.health=20..60:10 --goal win_rate=50% -n 200 -q -o res \
         --report page.html",
    );
    let document = tree(&page);
    let figures = all(document.root_element(), "figure");
    assert_eq!(figures.len(), 2);
    for figure in figures {
        for svg in all(figure, "svg") {
            let lines = all(svg, "path").into_iter();
            assert_eq!(lines.filter(|one| class(*one) == "level").count(), 1);
        }
        assert!(text(figure).contains("The dashed line is at 50%."));
    }
}

#[test]
fn pages_use_the_word_of_the_system_for_a_round() {
    let dir = TestDir::with_duel(DUEL);
    let alley = concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios/mage-alley.toml");
    dir.write("alley.toml", std::fs::read_to_string(alley).unwrap());
    dir.run("run alley.toml -n 100 -q -o res").assert_done();
    for command in [
        "report alley.toml -n 100 -q -o page.html",
        "report res/alley -q -o page.html",
    ] {
        let page = page_of(&dir, command);
        let document = tree(&page);
        let figures = all(document.root_element(), "figure").into_iter();
        let mut words: Vec<String> = figures.map(text).collect();
        let answer = all(document.root_element(), "p").into_iter().map(text);
        words.extend(answer.filter(|text| text.contains(" on average")));
        assert!(
            words
                .iter()
                .any(|text| text.contains("How many Turns does"))
        );
        assert!(words.iter().any(|text| text.contains("end of Turn 1")));
        for text in words {
            assert!(!text.contains("Round"), "{command}: {text}");
        }
    }
}
