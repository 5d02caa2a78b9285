#!/usr/bin/env python3
"""How the time of an encounter grows with the number of combatants, on every clock.

    cargo build --release
    python3 benches/peers/scaling.py

Plays crowd.toml, one thread, with 1 to 32 combatants a side. An event is an attack or a Unit
moved. Processor time of a long run less that of one of a tenth of it, so that start and files do
not count; the least of five, taken by turns so that a busy moment does not fall on one row.
"""

import csv
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
BINARY = sys.argv[1] if len(sys.argv) > 1 else HERE.parent.parent / "target/release/skirmish"
EVENTS = ("attacks", "units_moved")
COUNTS = (1, 2, 4, 8, 16, 32)
ENCOUNTERS = 160_000
REPEATS = 5


def seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def play(variant, count, n, folder):
    before = seconds()
    subprocess.run([BINARY, "run", HERE / "crowd.toml", "-n", str(n), "--threads", "1", "-q",
                    "--variant", variant, "--set", f"combatants.left.count={count}",
                    "--set", f"combatants.right.count={count}", "-o", folder],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return seconds() - before


def events(folder):
    with open(Path(folder) / "crowd/summary.csv", newline="", encoding="utf-8") as file:
        return sum(float(row["mean"]) for row in csv.DictReader(file)
                   if row["metric"] in EVENTS and row["mean"])


def main():
    print(f"{'clock':15} {'a side':>6} {'events':>8} {'us an encounter':>16} {'ns an event':>12}")
    with tempfile.TemporaryDirectory() as folder:
        for variant in ("base", "mage", "chronicles", "eclipse-phase"):
            used, met = {}, {}
            for _ in range(REPEATS):
                for count in COUNTS:
                    n = ENCOUNTERS // count
                    short = play(variant, count, n // 10, folder)
                    long = play(variant, count, n, folder)
                    met[count] = events(folder)
                    time = (long - short) / (n - n // 10)
                    used[count] = min(time, used.get(count, time))
            name = "tara-corax" if variant == "base" else variant
            for count in COUNTS:
                print(f"{name:15} {count:6} {met[count]:8.1f} {used[count] * 1e6:16.2f} "
                      f"{used[count] / met[count] * 1e9:12.1f}")


if __name__ == "__main__":
    main()
