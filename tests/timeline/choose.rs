//! The choice of encounters to show, and its reasons.

use super::{shipped, variants};
use skirmish::fight::Ending;
use skirmish::output::html::timeline::choose::{Choice, choose, figures};
use skirmish::output::story::Story;
use skirmish::run::{Play, Player};
use skirmish::sim::Record;
use skirmish::tally::{Tally, metrics};

#[test]
fn the_typical_the_quickest_and_the_most_lopsided_are_what_they_are_called() {
    for name in [
        "kiting.toml",
        "mage-split-pools.toml",
        "chronicles-spears.toml",
        "eclipse-speed.toml",
    ] {
        let file = shipped()
            .into_iter()
            .find(|file| file.ends_with(name))
            .unwrap();
        let variant = variants(&file).remove(0);
        let fight = &variant.fight;
        let player = Player::new(fight, &variant.rules, 1);
        let mut tally = Tally::new(fight);
        let mut table = player.state();
        let mut record = Record::default();
        let mut records = Vec::new();
        for encounter in 0..301 {
            player.play(&mut table, encounter, &mut record);
            tally.add(encounter, &record);
            records.push(record.clone());
        }
        let length = metrics::find(fight.system.length).unwrap();
        let long = |record: &Record| length.value(record, fight, 0).unwrap();
        let mut lengths: Vec<i64> = records.iter().map(&long).collect();
        lengths.sort_unstable();
        let share = |record: &Record| match record.ending {
            Ending::Win(side) => {
                let own = || {
                    let all = fight.combatants.iter().zip(&record.combatants);
                    all.filter(|(one, _)| one.side == usize::from(side))
                };
                let left: i32 = own().map(|(_, counts)| counts.health).sum();
                let whole: i32 = own().map(|(one, _)| one.health).sum();
                f64::from(left) / f64::from(whole)
            }
            _ => 0.0,
        };
        let greatest = records.iter().map(&share).fold(0.0, f64::max);

        let choices = choose(&tally, fight, &player);
        let of = |title: &str| {
            let found = choices
                .iter()
                .find(|choice| choice.title.to_lowercase().contains(title));
            &records[found.unwrap_or_else(|| panic!("{name}: {title}")).encounter as usize]
        };
        assert_eq!(long(of("typical")), lengths[150], "{name}");
        assert_eq!(long(of("quickest")), lengths[0], "{name}");
        assert!((share(of("lopsided")) - greatest).abs() < 1e-12, "{name}");

        for room in [0, 40_000, 100_000, 400_000] {
            let fight = (fight, &variant.rules);
            let mut play = |choice: &Choice| {
                let mut story = Story::default();
                let record = player.show(choice.encounter, &mut story);
                (story, record)
            };
            let shown = figures("s1-", fight, &choices, room, &mut play);
            let titles = |choices: &[Choice]| -> Vec<String> {
                choices.iter().map(|choice| choice.title.clone()).collect()
            };
            let mut all: Vec<String> = titles(&shown.left_out);
            let mut bytes = 0;
            for figure in &shown.figures {
                let of = |choice: &&Choice| figure.description.contains(&choice.why);
                let choice = choices.iter().find(of).unwrap();
                let encounter = choice.encounter;
                assert!(choice.why.contains(&format!("encounter {encounter}")));
                assert_eq!(figure.id, format!("s1-encounter-{encounter}"));
                all.push(figure.title.clone());
                // The markup of the page around cells is not counted.
                let cells = figure.table.rows.iter().flatten();
                bytes += figure.svg.as_str().len() + cells.map(String::len).sum::<usize>();
            }
            assert!(bytes <= room, "{name}: {bytes} of {room}");
            // The encounters that are not shown are listed as left out.
            let mut expected = titles(&choices);
            expected.sort();
            all.sort();
            assert_eq!(all, expected, "{name}, {room}");
            assert!(shown.figures.is_empty() == (room == 0), "{name}, {room}");
        }
    }
}
