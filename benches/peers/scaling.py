#!/usr/bin/env python3
"""How the time of an encounter grows with the number of combatants, on every clock.

    cargo build --release
    python3 benches/peers/scaling.py

Plays crowd.toml, one thread, with 1 to 16 combatants a side. An event is an attack or a Unit
moved. Times are processor time less that of a run of one encounter.
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


def seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def play(variant, count, n, folder):
    before = seconds()
    subprocess.run([BINARY, "run", HERE / "crowd.toml", "-n", str(n), "--threads", "1", "-q",
                    "--variant", variant, "--set", f"combatants.left.count={count}",
                    "--set", f"combatants.right.count={count}", "-o", folder],
                   check=True, stdout=subprocess.DEVNULL)
    return seconds() - before


def main():
    print(f"{'clock':15} {'a side':>6} {'events':>8} {'us an encounter':>16} {'ns an event':>12}")
    with tempfile.TemporaryDirectory() as folder:
        for variant in ("base", "mage", "chronicles", "eclipse-phase"):
            for count in (1, 2, 4, 8, 16):
                n = 200_000 // count ** 2
                used = play(variant, count, n, folder) - play(variant, count, 1, folder)
                play(variant, count, n, folder)
                with open(Path(folder) / "crowd/summary.csv", newline="", encoding="utf-8") as file:
                    events = sum(float(row["mean"]) for row in csv.DictReader(file)
                                 if row["metric"] in EVENTS and row["mean"])
                name = "tara-corax" if variant == "base" else variant
                print(f"{name:15} {count:6} {events:8.1f} {used / n * 1e6:16.2f} "
                      f"{used / n / events * 1e9:12.1f}")


if __name__ == "__main__":
    main()
