//! All possible courses of a run that looks at its successes, with their probabilities.

/// A possible end of a run: its successes and encounters, and its probability.
pub(crate) struct End {
    pub(crate) successes: u64,
    pub(crate) encounters: u64,
    pub(crate) probability: f64,
}

/// Returns all ends of a run with success probability `rate` that looks at each of `counts` and ends where `ends`
/// returns true, or at the last count. Outcomes rarer than 1e-13 are left out.
pub(crate) fn ends(
    rate: f64,
    counts: impl IntoIterator<Item = u64>,
    ends: impl Fn(u64, u64) -> bool,
) -> Vec<End> {
    let mut counts = counts.into_iter().peekable();
    let mut found = Vec::new();
    let (mut least, mut chances, mut seen) = (0, vec![1.0], 0);
    while let Some(encounters) = counts.next() {
        (least, chances) = later(least, &chances, encounters - seen, rate);
        seen = encounters;
        let last = counts.peek().is_none();
        let mut left = 0.0;
        for (successes, chance) in (least..).zip(&mut chances) {
            if *chance > 0.0 && (last || ends(successes, encounters)) {
                found.push(End {
                    successes,
                    encounters,
                    probability: *chance,
                });
                *chance = 0.0;
            }
            left += *chance;
        }
        if left < 1e-9 {
            break;
        }
    }
    found
}

/// Returns the total probability of the ends for which `holds` returns true.
pub(crate) fn probability(ends: &[End], holds: impl Fn(&End) -> bool) -> f64 {
    let held = ends.iter().filter(|end| holds(end));
    held.map(|end| end.probability).sum()
}

/// Returns the distribution of successes after `more` encounters: the least number, and the probability of each from
/// there.
fn later(least: u64, chances: &[f64], more: u64, rate: f64) -> (u64, Vec<f64>) {
    let (first, new) = binomial(more, rate);
    let counts = |chance: &f64| *chance > 1e-13;
    let from = chances.iter().position(counts).unwrap_or(0);
    let to = chances.iter().rposition(counts).unwrap_or(0);
    let mut sums = vec![0.0; to - from + new.len()];
    for (at, chance) in chances[from..=to].iter().enumerate() {
        for (sum, new) in sums[at..].iter_mut().zip(&new) {
            *sum += chance * new;
        }
    }
    (least + from as u64 + first, sums)
}

/// Returns the Poisson distribution with this mean, without values rarer than 1e-9.
pub(crate) fn poisson(mean: f64) -> impl Iterator<Item = (u64, f64)> + Clone {
    let next = move |&(k, chance): &(u64, f64)| Some((k + 1, chance * mean / (k + 1) as f64));
    let all = std::iter::successors(Some((0, (-mean).exp())), next);
    all.take(1000).filter(|(_, chance)| *chance > 1e-9)
}

/// Returns the binomial distribution, computed from the likeliest value outwards as far as it matters.
fn binomial(trials: u64, rate: f64) -> (u64, Vec<f64>) {
    let mode = (((trials + 1) as f64 * rate) as u64).min(trials);
    let up = |k: u64| (trials - k) as f64 / (k + 1) as f64 * rate / (1.0 - rate);
    let (mut below, mut weight) = (Vec::new(), 1.0);
    for k in (0..mode).rev() {
        weight /= up(k);
        if weight < 1e-13 {
            break;
        }
        below.push(weight);
    }
    let first = mode - below.len() as u64;
    let mut all: Vec<f64> = below.into_iter().rev().chain([1.0]).collect();
    weight = 1.0;
    for k in mode..trials {
        weight *= up(k);
        if weight < 1e-13 {
            break;
        }
        all.push(weight);
    }
    let total: f64 = all.iter().sum();
    for weight in &mut all {
        *weight /= total;
    }
    (first, all)
}
