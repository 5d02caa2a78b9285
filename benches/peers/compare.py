#!/usr/bin/env python3
"""Plays fights with the engine and with a reference and reports where they differ.

The `system` of the file picks the reference: reference.py, or one named after it.

    cargo build --release
    python3 benches/peers/compare.py                         # every fight here
    python3 benches/peers/compare.py benches/peers/fights/duel.toml --n 5000 --show

A metric counts as different when the two means lie more than --limit combined standard errors
apart (4.5: with some ten thousand comparisons one false alarm in ten runs or so). A metric that
is constant in both must be equal. Exit code 1 if anything differs.
"""

import argparse
import csv
import json
import math
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# Whole-encounter metrics have the subject "encounter" in the engine's summary.
METRICS = ["win_rate", "mutual", "timeout", "rounds", "health", "damage", "damage_taken",
           "attacks", "hits", "attacks_forfeited", "attacks_lost", "units_moved", "spells_cast",
           "spells_fizzled", "escaped", "caught", "distance", "turns", "first_attack_turn",
           "successes", "botches", "diminished", "dice_lost", "endurance_rolls", "collapsed",
           "paradox", "willpower_spent", "first_attack_round", "dramatic_failures", "interrupts",
           "interrupted", "readied", "readied_lost", "cancelled", "delays", "actions_lost",
           "places_gained", "places_lost", "first_blood", "criticals", "defended", "wounds",
           "reorderings", "moxie_spent", "interruptions", "delays_held", "delays_lost",
           "tasks_done", "actions_phase_1", "actions_phase_2", "actions_phase_3",
           "actions_phase_4", "healed", "items_used", "stunned", "fled", "surrendered",
           "uses_left"]
RATES = ("win_rate", "mutual", "timeout", "escaped", "caught", "collapsed", "first_blood",
         "fled", "surrendered")
REFERENCES = {"tara-corax": "reference.py", "mage": "mage_reference.py",
              "chronicles": "chronicles_reference.py", "eclipse-phase": "eclipse_reference.py"}


def play_engine(binary, fight, n, folder, seed):
    subprocess.run([binary, "run", str(fight), "-n", str(n), "--seed", str(seed), "--format",
                    "csv", "-q", "-o", str(folder)], check=True, stdout=subprocess.DEVNULL)
    means = {}
    with open(folder / fight.stem / "summary.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["metric"] in METRICS and row["mean"]:
                key = row["variant"], row["metric"], row["subject"]
                means[key] = float(row["mean"]), float(row["se"] or 0), int(row["n"])
    return means


def play_reference(fight, n, seed):
    script = HERE / REFERENCES[tomllib.loads(fight.read_text(encoding="utf-8"))["system"]]
    done = subprocess.run([sys.executable, str(script), str(fight), "--n", str(n),
                           "--seed", str(seed)], check=True, capture_output=True, text=True)
    means = {}
    for variant, metrics in json.loads(done.stdout)["variants"].items():
        for metric, subjects in metrics.items():
            for subject, table in subjects.items():
                means[variant, metric, subject] = table["mean"], table["se"], table.get("n", n)
    return means


def spread(mean, se, n, other_mean, metric, other_sd=0.0):
    """A standard error that is not too small only because a rare thing hardly happened in n plays."""
    se = max(se, other_sd / math.sqrt(n))
    if se > 0 or mean == other_mean:
        return se
    if metric in RATES:
        p = min(max(other_mean, 0), 1)
        return math.sqrt(p * (1 - p) / n)
    return math.sqrt(max(abs(other_mean - mean), 1e-12) / n)


def compare(fight, options):
    with tempfile.TemporaryDirectory() as folder:
        engine = play_engine(options.binary, fight, options.engine_n, Path(folder), options.seed)
    reference = play_reference(fight, options.n, options.seed)
    rows, missing = [], []
    for key, (mean, se, n) in reference.items():
        if key not in engine:
            missing.append(key)
            continue
        other, other_se, other_n = engine[key]
        error = math.hypot(spread(mean, se, n, other, key[1],
                                  other_se * math.sqrt(other_n)),
                           spread(other, other_se, other_n, mean, key[1]))
        gap = other - mean
        if abs(gap) < 1e-9:
            score = 0.0
        else:
            score = gap / error if error > 0 else math.inf
        rows.append((fight.stem, *key, other, mean, error, score))
    return rows, missing


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("fights", nargs="*", type=Path)
    parser.add_argument("--n", type=int, default=1000, help="encounters of the reference")
    parser.add_argument("--engine-n", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=4.5)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--binary", default=str(ROOT / "target/release/skirmish"))
    parser.add_argument("--show", action="store_true", help="every row, not only the different")
    options = parser.parse_args()
    fights = options.fights or sorted((HERE / "fights").glob("*.toml"))
    different, compared, failed = [], 0, []
    head = (f"{'fight':<20} {'variant':<22} {'metric':<18} {'subject':<12} "
            f"{'engine':>10} {'reference':>10} {'se':>9} {'score':>7}")
    print(head)

    def one(fight):
        try:
            return fight, compare(fight, options), None
        except subprocess.CalledProcessError as error:
            return fight, ([], []), error

    with ThreadPoolExecutor(options.jobs) as pool:
        for fight, (rows, missing), error in pool.map(one, fights):
            if error:
                failed.append(fight.stem)
                print(f"{fight.stem}: could not be played: {error}\n{error.stderr or ''}")
                continue
            if missing:
                failed.append(fight.stem)
                print(f"{fight.stem}: not in summary.csv: {missing[:4]}"
                      f"{' ...' if len(missing) > 4 else ''}")
            compared += len(rows)
            for row in rows:
                off = abs(row[-1]) > options.limit
                if off:
                    different.append(row)
                if off or options.show:
                    print(f"{row[0]:<20} {row[1]:<22} {row[2]:<18} {row[3]:<12} {row[4]:>10.4f} "
                          f"{row[5]:>10.4f} {row[6]:>9.5f} {row[7]:>7.1f}"
                          f"{'  <<<' if off and options.show else ''}", flush=True)
    print(f"{compared} metrics of {len(fights)} fights compared; {len(different)} differ by more "
          f"than {options.limit} standard errors; {len(failed)} fights failed")
    sys.exit(1 if different or failed else 0)


if __name__ == "__main__":
    main()
