//! Counts as bytes: they decode unchanged, add up in any order, and no other bytes are accepted.

use crate::synthetic::{PlayBy, fight, mix, record, tally_of};
use proptest::prelude::*;
use skirmish::fight::{Ending, Fight};
use skirmish::run::paired::{self, ComparedMetric, ComparedValues, Contender, FightCounts, Paired};
use skirmish::stats::Confidence;
use skirmish::systems::named;
use skirmish::tally::code::{Malformed, Reader, write_wide};
use skirmish::tally::{Pairs, Portable, Tally, metrics};
use skirmish::task::shard::{Body, Head, JobSpec, RunId, ScenarioText, ShardPart};
use skirmish::task::{self, Context, Files, Played, Source as _, Task, Until};
use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::Range;
use std::sync::atomic::AtomicBool;

fn encoded(counts: &impl Portable, encounters: &Range<u64>) -> Vec<u8> {
    let mut bytes = Vec::new();
    counts.encode(encounters, &mut bytes);
    bytes
}

fn decoded<C: Portable>(of: &C, encounters: &Range<u64>, bytes: &[u8]) -> Result<C, Malformed> {
    let mut reader = Reader::new(bytes);
    let counts = of.decode(encounters, &mut reader)?;
    reader.end().map(|()| counts)
}

fn questions(fight: &Fight) -> Vec<ComparedMetric> {
    let asked = [
        ("win_rate", "hunters"),
        ("rounds", "encounter"),
        ("damage_taken", "brute"),
    ];
    asked
        .map(|(metric, subject)| {
            let metric = metrics::find(metric).expect("a metric");
            ComparedMetric::new(metric, subject, [fight, fight])
        })
        .to_vec()
}

/// Plays pairs of encounters whose second fight has other records than the first.
fn pairs<C: FightCounts>(fight: &Fight, encounters: Range<u64>) -> Paired<C> {
    // The encounters from another one on have other records.
    let contender = |by| Contender {
        player: PlayBy(move |encounter, into: &mut _| *into = record(fight, encounter + by)),
        fight,
    };
    let threads = NonZeroUsize::new(2).expect("some threads");
    let never = AtomicBool::new(false);
    let contenders = [contender(0), contender(1000)];
    paired::run(
        &contenders,
        &questions(fight),
        encounters,
        threads,
        &never,
        &(),
    )
    .expect("threads")
}

/// Generates the parts of a range, in the order in which they are added up.
fn parts() -> impl Strategy<Value = (u64, Vec<Range<u64>>)> {
    (1u64..400, prop::collection::vec(0u64..400, 0..9)).prop_flat_map(|(all, cuts)| {
        let mut cuts: Vec<u64> = cuts
            .into_iter()
            .map(|cut| cut % all)
            .chain([0, all])
            .collect();
        cuts.sort_unstable();
        cuts.dedup();
        let parts: Vec<Range<u64>> = cuts.windows(2).map(|pair| pair[0]..pair[1]).collect();
        (Just(all), Just(parts).prop_shuffle())
    })
}

/// Returns whether pairs that are written in parts and read again are the pairs of the whole.
fn adds_up<C: FightCounts + PartialEq>(all: u64, parts: &[Range<u64>]) -> bool {
    let fight = fight();
    let empty = Paired::<C>::new([&fight, &fight], &questions(&fight));
    let mut sum = empty.clone();
    for part in parts {
        let bytes = encoded(&pairs::<C>(&fight, part.clone()), part);
        sum.merge(&decoded(&empty, part, &bytes).unwrap());
    }
    sum == pairs(&fight, 0..all)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn parts_that_have_been_written_add_up_to_the_whole((all, parts) in parts(), from in 0u64..1 << 40) {
        let fight = fight();
        let empty = Tally::new(&fight);
        let mut sum = empty.clone();
        for part in parts {
            let part = from + part.start..from + part.end;
            let bytes = encoded(&tally_of(&fight, part.clone()), &part);
            let read = decoded(&empty, &part, &bytes);
            prop_assert_eq!(read.as_ref(), Ok(&tally_of(&fight, part)));
            sum.merge(&read.unwrap());
        }
        prop_assert_eq!(sum, tally_of(&fight, from..from + all));
    }

    #[test]
    fn pairs_that_have_been_written_add_up_to_the_whole((all, parts) in parts()) {
        prop_assert!(adds_up::<Tally>(all, &parts));
        prop_assert!(adds_up::<ComparedValues>(all, &parts));
    }

    #[test]
    fn changed_counts_are_refused_or_are_other_counts(
        encounters in 1u64..60,
        at: prop::sample::Index,
        byte: u8,
        cut in any::<bool>(),
    ) {
        let fight = fight();
        let range = 7..7 + encounters;
        let mut bytes = encoded(&tally_of(&fight, range.clone()), &range);
        let at = at.index(bytes.len());
        if cut {
            bytes.truncate(at);
        } else {
            bytes[at] = byte;
        }
        // Accepted bytes are encoded the same: no two sequences of bytes are the same counts.
        if let Ok(read) = decoded(&Tally::new(&fight), &range, &bytes) {
            prop_assert_eq!(encoded(&read, &range), bytes);
        }
    }

    #[test]
    fn no_bytes_are_too_strange(bytes in prop::collection::vec(any::<u8>(), 0..300), encounters in 1u64..u64::MAX) {
        let fight = fight();
        let empty: Paired = Paired::new([&fight, &fight], &questions(&fight));
        let answers: Paired<ComparedValues> = Paired::new([&fight, &fight], &questions(&fight));
        let _ = decoded(&Tally::new(&fight), &(0..encounters), &bytes);
        let _ = decoded(&answers, &(0..encounters), &bytes);
        let _ = decoded(&empty, &(0..encounters), &bytes);
        prop_assert!(Body::open(&bytes).is_err());
    }
}

#[test]
fn the_pairs_of_these_tests_differ() {
    for comparison in pairs::<Tally>(&fight(), 0..100).pairs {
        let [smaller, greater] = comparison[0].differing();
        assert!(smaller.total() > 0 && greater.total() > 0);
    }
}

#[test]
fn counts_of_other_encounters_are_refused() {
    let fight = fight();
    let empty = Tally::new(&fight);
    let range = 0..100;
    let bytes = encoded(&tally_of(&fight, range.clone()), &range);
    assert!(decoded(&empty, &range, &bytes).is_ok());
    // Fewer encounters were played than there are values, or more.
    for other in [0..99, 0..101] {
        let wrong = decoded(&empty, &other, &bytes).unwrap_err();
        assert!(matches!(wrong, Malformed::Contradiction(_)), "{wrong}");
    }
    let pack = crate::synthetic::fight_of(&["hunters", "monsters"], &[("wolf", 1)]);
    let wrong = decoded(&Tally::new(&pack), &range, &bytes).unwrap_err();
    assert_eq!(wrong.to_string(), "it counts 3 combatants, not 1");
}

/// Returns the numbers encoded in bytes.
fn numbers(bytes: &[u8]) -> Vec<u128> {
    let mut reader = Reader::new(bytes);
    std::iter::from_fn(|| reader.wide().ok()).collect()
}

fn bytes(numbers: &[u128]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for &number in numbers {
        write_wide(number, &mut bytes);
    }
    bytes
}

/// Counts with one changed number are refused. The seventh to tenth numbers are the endings: how many there are, and of
/// the first which it is, how often it occurred and its first encounter.
#[test]
fn counts_that_contradict_each_other_are_refused() {
    let fight = fight();
    let mut caught = Tally::new(&fight);
    let range = 100..103;
    for encounter in range.clone() {
        let mut record = record(&fight, encounter);
        record.ending = Ending::Caught;
        caught.add(encounter, &record);
    }
    let right = numbers(&encoded(&caught, &range));
    assert_eq!(right[6..10], [1, 5, 3, 0]);
    let with = |changes: &[(usize, u128)]| {
        let mut numbers = right.clone();
        for &(at, number) in changes {
            numbers[at] = number;
        }
        decoded(&Tally::new(&fight), &range, &bytes(&numbers)).map_err(|why| why.to_string())
    };
    assert_eq!(with(&[]), Ok(caught.clone()));
    let not_played = "a value came in encounters that were not played";
    let last = right.len() - 1;
    for (changes, why) in [
        (&[(7, 6)][..], "an ending that there is not"),
        (&[(8, 2), (9, 2)], not_played),
        (&[(9, 3)], not_played),
        (&[(8, 2)], "fewer values came than encounters were played"),
        (&[(last, 4)], "idle in more encounters than were played"),
    ] {
        let refused = with(changes).unwrap_err();
        assert_eq!(refused, format!("its counts do not add up: {why}"));
    }
    assert!(with(&[(last, 3)]).is_ok());
}

/// Mage has turns and no Marks.
#[test]
fn counts_of_another_clock_are_refused() {
    let (marks, range) = (fight(), 0..3);
    let turns = Fight {
        system: named("mage").expect("a system"),
        ..fight()
    };
    let bytes = encoded(&tally_of(&marks, range.clone()), &range);
    let why = Malformed::Contradiction("something was counted that this clock does not have");
    assert_eq!(decoded(&Tally::new(&turns), &range, &bytes), Err(why));
}

/// The values in four encounters are 4 and 2, 5 and 3, 1 and 4, 5 and 5. They are written as their number, sums,
/// squares and products, then the number of distinct differences, and for each difference its value, its count and its
/// first encounter.
#[test]
fn pairs_that_contradict_their_sums_are_refused() {
    let fight = fight();
    let range = 100..104;
    let question = &questions(&fight)[..1];
    let empty = Paired {
        encounters: 4,
        counts: vec![tally_of(&fight, range.clone()); 2],
        ..Paired::new([&fight, &fight], question)
    };
    let begin = encoded(&empty, &range);
    assert_eq!(decoded(&empty, &range, &begin), Ok(empty.clone()));
    let with = |numbers: &[u128]| {
        let mut all = begin[..begin.len() - 1].to_vec();
        all.extend(bytes(numbers));
        decoded(&empty, &range, &all).map_err(|why| why.to_string())
    };
    let four = [4, 15, 14, 67, 54, 52, 1, 2, 2, 0, 1, 3, 1, 2];
    let three = [3, 10, 9, 42, 29, 27, 1, 2, 2, 0, 1, 3, 1, 2];
    for (right, values) in [
        (four, &[(4, 2), (5, 3), (1, 4), (5, 5)][..]),
        (three, &[(4, 2), (5, 3), (1, 4)]),
    ] {
        let mut pairs = Pairs::default();
        for (encounter, &(first, second)) in range.clone().zip(values) {
            pairs.add(encounter, first, second);
        }
        assert_eq!(with(&right).unwrap().pairs, [[pairs]]);
    }
    let differ = "pairs differ by more or less than their sums";
    for (at, number, why) in [
        (0, 5, "more pairs than encounters that were played"),
        (0, 2, differ),
        (1, 14, differ),
        (8, 1, differ),
    ] {
        let mut wrong = four;
        wrong[at] = number;
        let refused = with(&wrong).unwrap_err();
        assert_eq!(refused, format!("its counts do not add up: {why}"));
    }
}

#[test]
fn more_values_than_there_can_be_take_no_room() {
    let fight = fight();
    // The shape of the fight, followed by a histogram that claims very many values.
    let mut bytes = encoded(&tally_of(&fight, 0..1), &(0..1))[..6].to_vec();
    bytes.extend([0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]);
    let wrong = decoded(&Tally::new(&fight), &(0..u64::MAX), &bytes);
    assert_eq!(wrong.unwrap_err(), Malformed::Short);
}

fn order() -> JobSpec {
    let text = ScenarioText {
        name: "duel".to_owned(),
        text: "title = \"A duel\"".to_owned(),
    };
    let until = Until::Encounters(NonZeroU64::new(20).expect("some"));
    let task = Task {
        question: task::Question::Run { variant: vec![] },
        until,
        seed: 0,
        confidence: Confidence::DEFAULT,
        set: Vec::new(),
    };
    JobSpec::new(task, vec![text])
}

/// Returns a checkpoint of twenty encounters.
fn file() -> Vec<u8> {
    let fight = fight();
    let part = ShardPart {
        fight: 0,
        encounters: 0..20,
    };
    let counts = encoded(&tally_of(&fight, 0..20), &(0..20));
    Head::checkpoint(order().id(), 20).file(&[(part, counts)])
}

/// Returns the counts in a file if the file is that of [`file`].
fn held(bytes: &[u8]) -> Option<Tally> {
    let (head, body) = Body::open(bytes).ok()?;
    head.must_be(&Head::checkpoint(order().id(), 20)).ok()?;
    let empty = Tally::new(&fight());
    let part = ShardPart {
        fight: 0,
        encounters: 0..20,
    };
    let mut read = None;
    body.each([part], |body, part| {
        read = Some(body.counts(&empty, &part)?);
        Ok(())
    })
    .ok()?;
    read
}

#[test]
fn a_file_that_is_cut_short_anywhere_is_refused() {
    let file = file();
    assert_eq!(held(&file), Some(tally_of(&fight(), 0..20)));
    for end in 0..file.len() {
        assert_eq!(held(&file[..end]), None, "{end} bytes");
    }
    let mut longer = file;
    longer.push(0);
    assert_eq!(held(&longer), None);
}

/// Files that are whole and undamaged, but belong to the second fight or to other encounters.
#[test]
fn a_file_of_another_part_is_refused() {
    let with = |fight_number, encounters: Range<u64>| {
        let counts = encoded(&tally_of(&fight(), encounters.clone()), &encounters);
        let part = ShardPart {
            fight: fight_number,
            encounters,
        };
        held(&Head::checkpoint(order().id(), 20).file(&[(part, counts)]))
    };
    assert!(with(0, 0..20).is_some());
    assert_eq!(with(1, 0..20), None);
    assert_eq!(with(0, 0..19), None);
    assert_eq!(with(0, 1..21), None);
}

#[test]
fn a_file_with_any_other_byte_is_refused() {
    let mut file = file();
    for at in 0..file.len() {
        let byte = file[at];
        for other in [
            byte ^ 1,
            byte ^ 0x80,
            byte.wrapping_add(7),
            mix(at as u64) as u8,
        ] {
            if other == byte {
                continue;
            }
            file[at] = other;
            assert_eq!(held(&file), None, "byte {at} is {other}");
        }
        file[at] = byte;
    }
    assert!(held(&file).is_some());
}

#[test]
fn a_fingerprint_is_of_everything_that_decides() {
    let base = order();
    let change = |change: fn(&mut JobSpec)| {
        let mut order = order();
        change(&mut order);
        order.id()
    };
    let more = |order: &mut JobSpec| order.task.until = Until::Encounters(NonZeroU64::MAX);
    let ids = [
        base.id(),
        change(|order| order.task.seed += 1),
        change(|order| order.version.push('1')),
        change(|order| order.results += 1),
        change(|order| order.saved += 1),
        change(|order| order.task.confidence = "99%".parse().unwrap()),
        change(|order| order.task.set.push("a=1".to_owned())),
        change(|order| order.scenarios[0].text.push(' ')),
        change(|order| order.scenarios[0].name.push('2')),
        change(|order| {
            order.task.question = task::Question::Run {
                variant: vec!["base".to_owned()],
            }
        }),
        change(more),
    ];
    for (index, id) in ids.iter().enumerate() {
        assert!(!ids[..index].contains(id), "number {index}");
    }
    assert_eq!(base.id(), order().id());
    assert_eq!(base.id().to_string().len(), 64);
}

/// Fingerprints are shown with twelve digits, or as many as distinguish them.
#[test]
fn fingerprints_are_told_apart_by_their_digits() {
    let id = |same: usize, rest: &str| {
        let digits = "7".repeat(same) + &rest.repeat(64 - same);
        serde_json::from_str::<RunId>(&format!("\"{digits}\"")).unwrap()
    };
    for (same, shown) in [(0, 12), (11, 12), (12, 13), (20, 21), (63, 64)] {
        assert_eq!(id(same, "a").unlike(&id(same, "b")).len(), shown, "{same}");
    }
    assert_eq!(id(3, "a").short(), "777aaaaaaaaa");
}

/// Parts of unequal length, added up in another order, give the same run and the same comparison.
#[test]
fn parts_that_are_added_up_in_memory_are_the_whole() {
    let scenario = concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios/party.toml");
    let run = task::Question::Run {
        variant: Vec::new(),
    };
    let compare = task::Question::Compare(task::Compare {
        baseline: "base".to_owned(),
        variant: Vec::new(),
        metric: Vec::new(),
    });
    let context = Context::new(&Files);
    for question in [run, compare] {
        let input = Files.input(scenario.as_ref(), &[]).unwrap();
        let task = Task::new(question, 500.try_into().unwrap());
        let prepared = task.prepare(vec![input]).unwrap();
        let csv = |played: Played| {
            let mut out = Vec::new();
            let results = prepared.results(played);
            results.answer.csv(&mut out, true).unwrap();
            String::from_utf8(out).unwrap()
        };
        let whole = csv(prepared.play(&context).unwrap());
        let ranges = [0..1, 1..123, 123..500];
        let mut parts: Vec<ShardPart> = Vec::new();
        for fight in 0..prepared.fights() {
            let of = ranges.iter().cloned();
            parts.extend(of.map(|encounters| ShardPart { fight, encounters }));
        }
        if matches!(prepared.task.question, task::Question::Compare(_)) {
            // The fights of a comparison are played together.
            parts.truncate(ranges.len());
        }
        let counts = prepared.play_parts(&parts, &context).unwrap();
        let counted = parts.iter().cloned().zip(counts.iter().map(Vec::as_slice));
        let mut counted: Vec<(ShardPart, &[u8])> = counted.collect();
        counted.reverse();
        assert_eq!(csv(prepared.collect(&counted).unwrap()), whole);
        // Damaged counts are refused.
        let (part, bytes) = counted[0].clone();
        let cut = [(part, &bytes[..bytes.len() - 1])];
        assert!(prepared.collect(&cut).is_err());
    }
}
