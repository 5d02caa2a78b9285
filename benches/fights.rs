//! Measures the time of an encounter on one thread: the walled duel, four against four, a duel of pools, spears that
//! interrupt a charge and a Fury against two.
//!
//! `cargo bench --bench fights`; docs/PERFORMANCE.md lists the figures to compare with.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use skirmish::run::{Play, Player};
use skirmish::scenario::Scenario;
use skirmish::sim::Record;
use skirmish::tally::Tally;
use std::hint::black_box;
use std::path::Path;

/// Encounters in one iteration: enough to see every kind, and the same ones each time.
const ENCOUNTERS: u64 = 1000;

fn fights(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("encounters");
    group.throughput(Throughput::Elements(ENCOUNTERS));
    for name in [
        "walled-duel",
        "mirror",
        "party",
        "mage-initiative",
        "chronicles-spears",
        "eclipse-speed",
    ] {
        let path = Path::new("scenarios").join(name).with_extension("toml");
        let loaded = Scenario::load(&path, &[]).unwrap_or_else(|all| panic!("{all}"));
        let variant = &loaded.scenario.variants[0];
        let player = Player::new(&variant.fight, &variant.rules, 1);
        let mut table = player.state();
        let mut record = Record::default();
        let mut tally = Tally::new(&variant.fight);
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for encounter in 0..ENCOUNTERS {
                    player.play(&mut table, encounter, &mut record);
                    tally.add(encounter, black_box(&record));
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, fights);
criterion_main!(benches);
