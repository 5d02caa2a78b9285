"""Measures whole processes side by side, one after the other, on the same machine.

    cargo build --release
    python3 benches/peers/dice.py [path to skirmish]

Wall time and processor time of each command: the least and the median of several runs. Processor
time is what counts on a busy machine.
"""

import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).parent
PYTHON = HERE / ".venv" / "bin" / "python"
SKIRMISH = sys.argv[1] if len(sys.argv) > 1 else str(HERE.parent.parent / "target/release/skirmish")


def measure(name, command, runs):
    walls, cpus = [], []
    for _ in range(runs):
        before = os.times()
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        walls.append(time.perf_counter() - start)
        after = os.times()
        cpus.append(
            after.children_user + after.children_system
            - before.children_user - before.children_system
        )
    walls.sort()
    cpus.sort()
    middle = runs // 2
    print(
        f"{name:44} wall {walls[0] * 1e3:10.1f} ms least {walls[middle] * 1e3:10.1f} ms median"
        f"   processor {cpus[middle] * 1e3:8.0f} ms median",
        flush=True,
    )
    return walls[0]


odds = [SKIRMISH, "odds"]
grid = odds + "--pool 1..20 --difficulty 2..10 --format csv".split()
ours = measure("skirmish, 180 cells", grid, 41)
for depth in (9, 20):
    theirs = measure(
        f"icepool, 180 cells, depth {depth}", [PYTHON, HERE / "dice_icepool.py", str(depth)], 3
    )
    print(f"{'':44} {theirs / ours:.0f} times as long")
measure("icepool, start alone (import)", [PYTHON, "-c", "import icepool"], 5)
measure("skirmish, start alone (--version)", [SKIRMISH, "--version"], 41)
measure("skirmish, pool of 100 at difficulty 6", odds + "--pool 100 --difficulty 6".split(), 41)
ritual = "--pool 6 --difficulty 6 --ritual --required 60".split()
measure("skirmish, ritual of 60 successes", odds + ritual, 41)
magick = "--arete 6 --sphere 3 --vulgar --ritual --required 60".split()
measure("skirmish, vulgar ritual of 60 successes", odds + magick, 41)
subprocess.run([PYTHON, HERE / "dice_numpy.py"], check=True)
