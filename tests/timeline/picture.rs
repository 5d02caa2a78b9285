//! Timelines as SVG and as pages.

use super::{Played, played, shipped, variants};
use crate::support::fights::{heard, variant};
use crate::support::{self, TestDir, program};
use proptest::prelude::*;
use roxmltree::{Document, Node};
use skirmish::output::html::timeline::model::{Arrow, Outcome};
use skirmish::output::html::timeline::{ObservedEncounter, Picture};
use skirmish::output::story::Content;
use skirmish::scenario::Scenario;
use skirmish::sim::Event;
use std::collections::HashMap;

/// The size limit of a picture, in bytes.
const MOST: usize = 150_000;

impl Played {
    fn picture(&self) -> Picture<'_> {
        Picture::new(ObservedEncounter {
            fight: &self.variant.fight,
            rules: &self.variant.rules,
            story: &self.story,
            record: &self.record,
            why: false,
        })
    }

    fn svg(&self) -> String {
        self.picture()
            .svg("An encounter", "How it went")
            .to_string()
    }
}

/// Returns the groups with this class.
fn groups<'a>(document: &'a Document<'a>, class: &str) -> Vec<Node<'a, 'a>> {
    let all = document.descendants();
    all.filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "g")))
        .filter(|node| node.attribute("class") == Some(class))
        .collect()
}

#[test]
fn pictures_are_well_formed_bounded_and_have_all_falls_and_arrows() {
    for played in played("", 0..2) {
        let svg = played.svg();
        let name = &played.name;
        assert!(svg.len() <= MOST, "{name}: {} bytes", svg.len());
        let document = Document::parse(&svg).unwrap_or_else(|error| panic!("{name}: {error}"));
        let timeline = played.timeline();
        let ended = timeline.lanes.iter().filter(|lane| lane.ended.is_some());
        if !svg.contains("left out") {
            assert_eq!(groups(&document, "fall").len(), ended.count(), "{name}");
            let drawn = groups(&document, "arrow").len();
            assert_eq!(drawn, timeline.arrows.len(), "{name}");
        }
        let mut ids: Vec<&str> = document
            .descendants()
            .filter_map(|node| node.attribute("id"))
            .collect();
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count, "{name}: ids are unique");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_can_be_drawn(file in 0_usize..1000, variant in 0_usize..1000, encounter in 0_u64..50) {
        let files = shipped();
        let variants = variants(&files[file % files.len()]);
        let variant = variants[variant % variants.len()].clone();
        let (story, record) = heard(&variant, encounter);
        let played = Played { name: String::new(), variant, story, record };
        let svg = played.svg();
        prop_assert!(svg.len() <= MOST, "{} bytes", svg.len());
        prop_assert!(Document::parse(&svg).is_ok());
        let wrong = super::model::errors_of(&played, &played.timeline());
        prop_assert!(wrong.is_empty(), "{wrong:#?}");
    }
}

/// Returns the left end of a block's outline.
fn left(block: Node<'_, '_>) -> f64 {
    let outline = block
        .children()
        .rfind(Node::is_element)
        .expect("an outline");
    let path = || {
        outline
            .attribute("d")
            .and_then(|d| d[1..].split(' ').next())
    };
    let x = outline.attribute("x").or_else(path).expect("a place");
    x.parse().unwrap()
}

#[test]
fn time_goes_from_left_to_right() {
    for played in [
        "kiting",
        "party",
        "mage-botch",
        "chronicles-door",
        "eclipse-ambush",
    ]
    .iter()
    .flat_map(|begins| played(begins, 0..2))
    {
        let svg = played.svg();
        let document = Document::parse(&svg).unwrap();
        // The start of the last block, by row and name of the combatant.
        let mut last: HashMap<(usize, String), f64> = HashMap::new();
        for block in groups(&document, "block") {
            let row = block.parent().unwrap().range().start;
            let label = block.attribute("aria-label").unwrap();
            let name = label.split(',').next().unwrap().to_owned();
            let x = left(block);
            let before = last.insert((row, name), x).unwrap_or(f64::MIN);
            assert!(x >= before - 6.0, "{}: {label}", played.name);
            let told = block.children().find(|node| node.has_tag_name("title"));
            assert!(told.is_some_and(|title| title.text().is_some()), "{label}");
        }
        assert!(!last.is_empty());
    }
}

#[test]
fn names_stay_text() {
    let file = shipped()
        .into_iter()
        .find(|file| file.ends_with("kiting.toml"))
        .unwrap();
    let mut variant = variants(&file).remove(0);
    let name = r#"<script>alert("&'")</script>"#;
    variant.fight.combatants[0].name = name.to_owned();
    let weapons = &mut variant.fight.combatants[1].weapons;
    std::sync::Arc::make_mut(weapons)[0].name = name.to_owned();
    variant.fight.sides[0] = name.to_owned();
    let (story, record) = heard(&variant, 0);
    let played = Played {
        name: String::new(),
        variant,
        story,
        record,
    };
    let figure = played
        .picture()
        .figure("t".to_owned(), name.to_owned(), name.to_owned());
    for text in [played.svg(), figure.svg.to_string()] {
        assert!(!text.contains("<script"));
        assert!(text.contains("&lt;script&gt;"));
    }
    Document::parse(&played.svg()).unwrap();
}

#[test]
fn the_table_is_the_story_line_by_line() {
    for played in played("chronicles-spears", 0..4)
        .into_iter()
        .chain(played("party", 0..1))
    {
        let figure = played
            .picture()
            .figure("t".to_owned(), String::new(), String::new());
        let mut rows = figure.table.rows.iter();
        let lines = played
            .story
            .lines(&played.variant.fight, &played.record, false);
        for line in lines {
            let Content::Deed {
                sentence,
                dice,
                who,
            } = line.content
            else {
                continue;
            };
            let who = who.map_or("", |who| played.variant.fight.combatants[who].name.as_str());
            let found = rows.any(|row| {
                row[0] == line.moment.round.to_string()
                    && row[2].ends_with(who)
                    && row[3] == sentence.trim_start()
                    && row[4] == dice
            });
            assert!(found, "{}: {who} {sentence}", played.name);
        }
    }
}

#[test]
fn a_long_encounter_keeps_both_ends_and_says_what_is_left_out() {
    let file = shipped()
        .into_iter()
        .find(|file| file.ends_with("kiting.toml"))
        .unwrap();
    let changes = [
        "combatants.archer.health=30000",
        "combatants.brute.health=30000",
        "encounter.max_rounds=100",
    ];
    let loaded =
        Scenario::load(&file, &changes.map(str::to_owned)).unwrap_or_else(|all| panic!("{all}"));
    let variant = loaded.scenario.variants[0].clone();
    let (story, record) = heard(&variant, 0);
    assert_eq!(record.rounds, 100);
    let played = Played {
        name: String::new(),
        variant,
        story,
        record,
    };
    let svg = played.svg();
    assert!(svg.len() <= MOST, "{} bytes", svg.len());
    for told in [
        ">Round 1<",
        ">Round 2<",
        ">Round 99<",
        ">Round 100<",
        "are left out: ",
    ] {
        assert!(svg.contains(told), "{told}");
    }
    let figure = played
        .picture()
        .figure("t".to_owned(), String::new(), String::new());
    assert!(figure.note.is_some());
}

#[test]
fn rounds_in_which_nothing_is_done_are_folded() {
    let text = r#"
title = "Two who cannot reach one another"
system = "chronicles"
[encounter]
max_rounds = 40
[weapons.fist]
kind = "melee"
check = { pool = 3 }
damage = 1
[[combatants]]
name = "one"
side = "left"
position = 0
attributes = { dexterity = 2, composure = 2 }
move = 10
defence = 2
health = 7
weapons = ["fist"]
policy = ["attack"]
[[combatants]]
name = "two"
side = "right"
position = 50
attributes = { dexterity = 2, composure = 2 }
move = 10
defence = 2
health = 7
weapons = ["fist"]
policy = ["attack"]
"#;
    let variant = variant(text);
    let (story, record) = heard(&variant, 0);
    let played = Played {
        name: String::new(),
        variant,
        story,
        record,
    };
    let svg = played.svg();
    assert!(
        svg.contains(">Rounds 2 to 39 are left out: no actions.<"),
        "{svg}"
    );
}

/// Returns the width of a picture, and its texts.
fn width_and_texts(svg: Node<'_, '_>) -> (f64, Vec<String>) {
    let width = svg.attribute("width").unwrap().parse().unwrap();
    let texts = svg
        .descendants()
        .filter(|node| node.tag_name().name() == "text");
    (
        width,
        texts
            .filter_map(|text| text.text().map(str::to_owned))
            .collect(),
    )
}

#[test]
fn arrows_tell_their_damage() {
    let played = played("multi-attacker", 0..1).remove(0);
    let svg = played.svg();
    let document = Document::parse(&svg).unwrap();
    let (_, texts) = width_and_texts(document.root_element());
    let mut drawn: Vec<&str> = texts
        .iter()
        .map(String::as_str)
        .filter(|text| text.starts_with('\u{2212}'))
        .collect();
    let timeline = played.timeline();
    let dealt = timeline.arrows.iter().filter_map(|arrow| arrow.damage);
    let mut dealt: Vec<String> = dealt.map(|damage| format!("\u{2212}{damage}")).collect();
    drawn.sort_unstable();
    dealt.sort_unstable();
    assert!(dealt.len() > 3, "{dealt:?}");
    assert_eq!(drawn, dealt);
}

#[test]
fn a_short_fight_takes_all_the_width() {
    // Turns of two combatants: as many columns as they have actions.
    let played = played("mage-initiative", 0..1).remove(0);
    let timeline = played.timeline();
    assert!(timeline.end <= 4, "{}", timeline.end);
    let svg = played.svg();
    let document = Document::parse(&svg).unwrap();
    let mut lanes = document
        .descendants()
        .filter(|node| node.attribute("class") == Some("turn"));
    let wide: f64 = lanes
        .next()
        .unwrap()
        .attribute("width")
        .unwrap()
        .parse()
        .unwrap();
    // Columns of a picture in several rows are at most 92 wide.
    assert!(wide > 92.0 * f64::from(timeline.end) + 50.0, "{wide}");
}

#[test]
fn what_comes_to_nothing_is_drawn_as_such() {
    let mut seen: HashMap<Outcome, usize> = HashMap::new();
    for played in played("", 0..4) {
        for Arrow { outcome, .. } in &played.timeline().arrows {
            *seen.entry(*outcome).or_default() += 1;
        }
    }
    for outcome in [
        Outcome::Hit,
        Outcome::Miss,
        Outcome::TurnedAside,
        Outcome::NoTarget,
        Outcome::Fizzled,
    ] {
        assert!(seen.contains_key(&outcome), "{outcome:?}");
    }
}

#[test]
fn an_attack_without_a_mark_is_drawn_as_forfeited() {
    let file = shipped()
        .into_iter()
        .find(|file| file.ends_with("multi-attacker.toml"))
        .unwrap();
    // With this Score three attacks, five Marks apart, do not always end before the Round does.
    let slow =
        ["agility", "intellect"].map(|one| format!("combatants.combatant.attributes.{one}=2"));
    let loaded = Scenario::load(&file, &slow).unwrap_or_else(|all| panic!("{all}"));
    let variant = loaded.scenario.variants[0].clone();
    let (story, record) = heard(&variant, 0);
    let lost = record.combatants[0].attacks_forfeited;
    assert!(lost > 0);
    let played = Played {
        name: String::new(),
        variant,
        story,
        record,
    };
    let timeline = played.timeline();
    let forfeited = |arrow: &&Arrow| arrow.outcome == Outcome::Forfeited;
    let arrows: Vec<&Arrow> = timeline.arrows.iter().filter(forfeited).collect();
    let counted: usize = arrows.iter().map(|arrow| arrow.count).sum();
    assert_eq!(counted, lost as usize);

    let svg = played.svg();
    let document = Document::parse(&svg).unwrap();
    let told = |group: &Node<'_, '_>| {
        let title = group.children().find(|node| node.has_tag_name("title"));
        title.and_then(|title| title.text().map(str::to_owned))
    };
    let has = |group: &Node<'_, '_>, class: &str| {
        let mut shapes = group.children().filter_map(|node| node.attribute("class"));
        shapes.any(|all| all.split(' ').any(|one| one == class))
    };
    let mut drawn = 0;
    for group in groups(&document, "arrow") {
        let title = told(&group).unwrap_or_default();
        let forfeited = title.contains("has no Marks for");
        // A dotted stub that ends at a bar and reaches no target.
        let stub = has(&group, "dotted") && has(&group, "bar") && !has(&group, "head");
        assert_eq!(stub, forfeited, "{title}");
        drawn += usize::from(stub);
    }
    assert_eq!(drawn, arrows.len());
    // The key explains the stub only if there is one.
    assert!(svg.contains(">no Mark left for it<"));
    let other = self::played("multi-attacker", 0..1).remove(0);
    assert_eq!(other.record.combatants[0].attacks_forfeited, 0);
    assert!(!other.svg().contains("no Mark left"));
}

/// TC-12, TC-13, TC-21: in a Simple Round a spell has no block any more when a hit breaks it off in a later Round.
#[test]
fn a_spell_that_fizzles_in_a_later_simple_round_is_no_counter() {
    let text = "system = \"tara-corax\"\nrules.round = \"simple\"\nrules.initiative.dice = 0\nencounter.max_rounds = 3\n\
                [weapons.sword]\nkind = \"melee\"\ncheck = { dice = \"1d10\", bonus = 50 }\ndamage = 1\n\
                [spells.bolt]\ncasting_time = 45\nrange = 40\ndamage = 4\n\
                [[combatants]]\nname = \"mage\"\nside = \"a\"\nposition = 0\nevade = 5\ninitiative = 20\n\
                health = 20\nmove = 5\nspells = [\"bolt\"]\npolicy = [\"cast bolt\"]\n\
                [[combatants]]\nname = \"guard\"\nside = \"b\"\nposition = 10\nevade = 5\ninitiative = 28\n\
                health = 20\nmove = 10\nweapons = [\"sword\"]\npolicy = [\"attack\", \"advance\"]\n";
    let variant = variant(text);
    let (story, record) = heard(&variant, 0);
    let begun = story.events.iter();
    let begun = begun.filter(|told| matches!(told.event, Event::Cast { .. }));
    let broken = story.events.iter();
    let mut broken = broken.filter(|told| matches!(told.event, Event::Fizzle { .. }));
    let first = broken.next().expect("a spell fizzles").moment.round;
    let same = begun.filter(|told| told.moment.round == first).count();
    assert_eq!(
        (first, same),
        (2, 0),
        "begun in Round 1, broken off in Round 2"
    );
    let played = Played {
        name: String::new(),
        variant,
        story,
        record,
    };
    let svg = played.svg();
    let document = Document::parse(&svg).unwrap();
    let arrows = groups(&document, "arrow").into_iter();
    let labels: Vec<&str> = arrows
        .filter_map(|one| one.attribute("aria-label"))
        .collect();
    let fizzles = |label: &&str| label.starts_with("mage, Round 2") && label.ends_with(": fizzles");
    assert!(labels.iter().any(fizzles), "{labels:?}");
}

/// Each condition is a bar with its name from the event that begins it to the event that ends it.
#[test]
fn conditions_are_bars_with_their_names() {
    let mut drawn = 0;
    for played in played("chronicles-burn", 0..3) {
        let timeline = played.timeline();
        let events = played.story.events.iter().map(|entry| entry.event);
        let begun: Vec<usize> = events
            .filter_map(|event| match event {
                Event::ConditionBegins { who, .. } => Some(who),
                _ => None,
            })
            .collect();
        let states = timeline
            .states
            .iter()
            .filter(|state| state.condition.is_some());
        let svg = played.svg();
        let document = Document::parse(&svg).unwrap();
        let bars = groups(&document, "state");
        for state in states {
            assert!(begun.contains(&state.who) && !state.ticks.is_empty());
            let condition = usize::from(state.condition.unwrap());
            let name = &played.variant.fight.conditions[condition].name;
            let told = bars.iter().filter_map(|bar| bar.attribute("aria-label"));
            assert!(
                told.into_iter()
                    .any(|label| label.ends_with(&format!(": {name}"))),
                "{name}"
            );
            drawn += 1;
        }
        assert!(
            bars.len() >= usize::from(!begun.is_empty()),
            "{}",
            played.name
        );
    }
    assert!(drawn > 2, "{drawn}");
}

#[test]
fn a_small_picture() {
    let played = played("mage-initiative", 0..1).remove(0);
    let svg = played.svg();
    // The style sheet is not part of the snapshot.
    let (head, rest) = svg.split_once("<style>").unwrap();
    let (_, drawing) = rest.split_once("</style>").unwrap();
    insta::assert_snapshot!(format!("{head}{drawing}"));
}

#[test]
fn a_page_goes_to_a_file_or_to_standard_output() {
    let dir = TestDir::empty();
    let scenario = shipped()
        .into_iter()
        .find(|file| file.ends_with("kiting.toml"))
        .unwrap();
    for format in ["html", "svg"] {
        let file = dir.root().join(format);
        let trace = |to_file: bool| {
            let mut command = program();
            command.arg("trace").arg(&scenario);
            command.args(["--find", "winner=brute", "--format", format]);
            if to_file {
                command.arg("-o").arg(&file);
            }
            let output = support::Outcome::of(command.output().unwrap()).assert_done();
            assert!(output.err.is_empty());
            output.out
        };
        let printed = trace(false);
        assert!(trace(true).is_empty());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), printed);
        assert!(printed.contains("beasts win in Round"));
        for outside in ["http://", "https://", "src=", "@import"] {
            let own = printed.replace("http://www.w3.org/2000/svg", "");
            assert!(!own.contains(outside), "{outside}");
        }
    }
}

#[test]
fn wrong_targets_are_refused_before_any_work() {
    trycmd::TestCases::new().case("tests/cmd/trace*.md");
}

#[test]
fn md_5_an_eye_stands_beside_each_turn_in_which_sleepers_watch() {
    let text = "system = \"mage\"\n[encounter]\nmax_rounds = 8\nsleepers = 0.5\n[rules]\n\
                health = \"points\"\n[weapons.sword]\nkind = \"melee\"\n\
                check = { pool = 3 }\ndamage = 0\n[[combatants]]\nname = \"mage\"\n\
                side = \"a\"\nposition = 0\ninitiative = 5\nhealth = 5\nweapons = [\"sword\"]\n\
                policy = [\"attack\"]\n[[combatants]]\nname = \"dummy\"\nside = \"b\"\n\
                position = 0\ninitiative = 5\nhealth = 5\npolicy = [\"pass\"]\n";
    let variant = variant(text);
    let mut seen = 0;
    for encounter in 0..4 {
        let (story, record) = heard(&variant, encounter);
        let watched: Vec<u32> = story
            .events
            .iter()
            .filter(|told| told.event == Event::Sleepers)
            .map(|told| told.moment.round)
            .collect();
        let played = Played {
            name: String::new(),
            variant: variant.clone(),
            story,
            record,
        };
        let timeline = played.timeline();
        let rounds = timeline.rounds.iter();
        let drawn: Vec<u32> = rounds
            .filter(|round| round.watched.is_some())
            .map(|round| round.number)
            .collect();
        assert_eq!(drawn, watched);
        let svg = played.svg();
        let document = Document::parse(&svg).unwrap();
        let eyes = groups(&document, "sleepers");
        assert_eq!(eyes.len(), watched.len());
        for eye in eyes {
            let title = eye
                .children()
                .find(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "title")));
            let told = title.and_then(|title| title.text()).unwrap_or_default();
            assert_eq!(told, "Sleepers come by, and watch in this turn");
        }
        assert_eq!(svg.contains(">Sleepers watch<"), !watched.is_empty());
        seen += watched.len();
    }
    assert!((1..32).contains(&seen), "{seen} of 32 turns");
}
