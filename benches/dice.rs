//! Measures the time of dice questions and the rolls a second of the samplers.
//!
//! `cargo bench --bench dice`

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use skirmish::dice::extended::{Extended, Options};
use skirmish::dice::pool::Growth;
use skirmish::dice::{Notation, PoolTable, Storyteller, face_from_bits};

/// Draws in one iteration; many, to spread the cost of the loop itself.
const DRAWS: u64 = 10_000;

fn exact(c: &mut Criterion) {
    let mut group = c.benchmark_group("exact");
    group.bench_function("grid of 180 pools", |b| {
        b.iter(|| {
            let mut sum = 0.0;
            for difficulty in 2..=10 {
                let pool = Storyteller::new(0, black_box(difficulty))
                    .compile()
                    .unwrap();
                let mut growth = Growth::new(&pool, 20);
                for _ in 0..20 {
                    growth.add_die();
                    sum += growth.odds().success();
                }
            }
            sum
        });
    });
    group.bench_function("pool of 100", |b| {
        b.iter(|| {
            Storyteller::new(black_box(100), 6)
                .compile()
                .unwrap()
                .odds()
        });
    });
    group.bench_function("ritual of 60 successes", |b| {
        let rule = Storyteller {
            required: 60,
            ..Storyteller::new(6, 6)
        };
        let levels = vec![rule.compile().unwrap()];
        let task = Extended::new(levels, Options::default()).unwrap();
        b.iter(|| black_box(&task).odds().unwrap());
    });
    group.bench_function("4d6kh3", |b| {
        b.iter(|| Notation::parse(black_box("4d6kh3")).unwrap().distribution());
    });
    group.finish();
}

fn sampled(c: &mut Criterion) {
    let mut group = c.benchmark_group("8 dice at difficulty 6");
    group.throughput(Throughput::Elements(DRAWS));
    let pool = Storyteller::new(8, 6).compile().unwrap();
    let table = PoolTable::of(&pool.odds());
    let mut generator = Xoshiro256PlusPlus::seed_from_u64(1);
    group.bench_function("by table", |b| {
        b.iter(|| {
            (0..DRAWS)
                .map(|_| table.draw(generator.next_u64()).net)
                .sum::<i64>()
        });
    });
    group.bench_function("by dice", |b| {
        let mut faces = |sides| face_from_bits(generator.next_u64(), sides);
        b.iter(|| (0..DRAWS).map(|_| pool.roll(&mut faces).net).sum::<i64>());
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .sample_size(30);
    targets = exact, sampled
}
criterion_main!(benches);
