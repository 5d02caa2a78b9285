"""What walled_duel_counts.py and mage_duel_counts.py share: the clock, the same code under numba, and the
comparison with what `skirmish run` has counted.

A duel is a module with

    TABLES      (metric, subject, room) of each histogram
    UNITS       what its Rounds are called
    count       count(encounters, rand, histograms) plays and counts; `rand()` is uniform on [0, 1)
    metrics     metrics(histograms) gives for each (metric, subject) of summary.csv and distributions.csv
                its histogram, a list of how many encounters showed 0, 1, 2 and so on

`count` is written so that Python can run it, and numba compile it, as it stands: to one the histograms are
lists, to the other arrays.
"""

import argparse
import csv
import inspect
import math
import re
import time
from pathlib import Path
from random import Random

try:
    import numpy as np
    from numba import njit
except ImportError:
    njit = None

LIMIT = 4.5          # standard errors
ENDINGS = {"mutual": 2, "timeout": 3}


def plain(duel):
    """encounters, seed -> histograms, in plain Python."""
    def play(n, seed):
        tables = [[0] * room for _, _, room in duel.TABLES]
        duel.count(n, Random(seed).random, tables)
        return tables
    return play


def with_randint(duel):
    """The same with the dice that the standard library has: `randint(1, 10)`. `int(random() * 10) + 1` is a
    trick for speed, and biased by a hair."""
    source = inspect.getsource(duel)

    def two(dice):
        more = int(dice[2]) - 2
        return f"rand(1, {dice[1]}) + rand(1, {dice[1]})" + (f" + {more}" if more else "")
    source = re.sub(r"int\(rand\(\) \* (\d+)\) \+ int\(rand\(\) \* \1\) \+ (\d+)", two, source)
    source = re.sub(r"int\(rand\(\) \* (\d+)\) \+ 1", r"rand(1, \1)", source)
    assert "rand()" not in source.split("def count")[1]
    names = {"__name__": "with_randint"}
    exec(source, names)  # noqa: S102 - our own source

    def play(n, seed):
        tables = [[0] * room for _, _, room in duel.TABLES]
        names["count"](n, Random(seed).randint, tables)
        return tables
    return play


def under_numba(duel):
    """The same with the same code compiled, and np.random."""
    @njit
    def rand():
        return np.random.random()

    count = njit(duel.count)

    @njit
    def seeded(n, seed, tables):
        np.random.seed(seed)
        count(n, rand, tables)

    def play(n, seed):
        tables = tuple(np.zeros(room, np.int64) for _, _, room in duel.TABLES)
        seeded(n, seed, tables)
        return [table.tolist() for table in tables]
    return play


def share(n, k):
    """The histogram of what k of n encounters showed."""
    return [n - k, k]


def standing(n, fell):
    """How many still stand at the end of Round 0, 1, 2 and so on, of the Rounds in which they fell."""
    still, left = [], n
    for count in fell:
        left -= count
        still.append(left)
    return still


def moments(table):
    """Encounters, mean and variance (divisor n - 1)."""
    n = sum(table)
    if n == 0:
        return 0, 0.0, 0.0
    mean = sum(value * count for value, count in enumerate(table)) / n
    squares = sum((value - mean) ** 2 * count for value, count in enumerate(table))
    return n, mean, squares / max(n - 1, 1)


def far(difference, variance, n, other):
    """A difference of means in standard errors, both samples' together."""
    if difference == 0:
        return 0.0
    return abs(difference) / math.sqrt(variance * (1 / n + 1 / other)) if variance > 0 else math.inf


def far_share(k, n, other_k, other):
    p = (k + other_k) / (n + other)
    return far(k / n - other_k / other, p * (1 - p), n, other)


def rows(path, variant):
    with open(path, newline="", encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["variant"] == variant]


def check(ours, folder, variant="base"):
    """Whether all is as skirmish has counted it. Prints what is not."""
    summary = rows(Path(folder) / "summary.csv", variant)
    distributions = rows(Path(folder) / "distributions.csv", variant)
    played = sum(ours["winner", "encounter"])
    they_played = max((int(row["n"]) for row in summary), default=0)
    if they_played == 0:
        print(f"{folder}: nothing of the variant {variant}")
        return False
    wrong, worst, compared = [], 0.0, {"means": 0, "frequencies": 0}

    def compare(kind, what, off, mine, theirs):
        nonlocal worst
        compared[kind] += 1
        if off > LIMIT:
            wrong.append(f"{what}: {mine:.6g} here, {theirs:.6g} there, {off:.1f} standard errors apart")
        else:
            worst = max(worst, off)

    # The mean of every metric, and how many encounters showed it at all.
    for row in summary:
        key = row["metric"], row["subject"]
        if key not in ours:
            wrong.append(f"{key}: is not counted here")
            continue
        n, mean, variance = moments(ours[key])
        other = int(row["n"])
        compare("means", f"{key}, encounters that show it", far_share(n, played, other, they_played),
                n / played, other / they_played)
        if n and other:
            pooled = (n * variance + other * float(row["sd"] or 0) ** 2) / (n + other)
            compare("means", f"{key}", far(mean - float(row["mean"]), pooled, n, other),
                    mean, float(row["mean"]))

    # Every value of every distribution; those that hardly come are left to the means.
    theirs = {}
    for row in distributions:
        theirs.setdefault((row["metric"], row["subject"]), {})[row["value"]] = int(row["count"])
    for key, table in theirs.items():
        if key not in ours:
            wrong.append(f"{key}: is not counted here")
            continue
        if key[0] == "winner":
            counts = {i: count for i, count in enumerate(table.values())}
            if list(table)[2:] != list(ENDINGS):
                wrong.append(f"{key}: {list(table)} are not the endings of this duel")
        else:
            counts = {int(value): count for value, count in table.items()}
        n, other = played, they_played
        values = set(counts)
        if key[0] != "standing":         # after the last Round that was played it has no more rows
            n, other = sum(ours[key]), sum(counts.values())
            values |= {value for value, count in enumerate(ours[key]) if count}
        for value in sorted(values):
            mine = ours[key][value] if value < len(ours[key]) else 0
            their = counts.get(value, 0)
            rare = (mine + their) * min(n, other) / (n + other)
            if rare >= 50 or key[0] == "winner":
                compare("frequencies", f"{key} {value}", far_share(mine, n, their, other),
                        mine / n, their / other)

    have = {(row["metric"], row["subject"]) for row in summary} | set(theirs)
    wrong += [f"{key}: skirmish does not count it" for key in ours if key not in have]
    for line in wrong:
        print(f"differs: {line}")
    print(f"{played} encounters here and {they_played} there: {compared['means']} means and "
          f"{compared['frequencies']} frequencies of {len(have)} metrics compared, "
          f"{len(wrong)} differ; {worst:.1f} standard errors at most of the others")
    return not wrong


def show(ours):
    print(f"{'metric':<20}{'subject':<12}{'n':>10}{'mean':>12}{'sd':>10}")
    for (metric, subject), table in ours.items():
        if metric not in ("winner", "standing"):
            n, mean, variance = moments(table)
            print(f"{metric:<20}{subject:<12}{n:>10}{mean:>12.5g}{math.sqrt(variance):>10.4g}")


def measure(name, play, duel, n, seed):
    """Plays with the clock on, after one encounter without, and prints the row."""
    play(1, seed)
    start = time.perf_counter()
    tables = play(n, seed)
    seconds = time.perf_counter() - start
    ours = duel.metrics(tables)
    rate = ours["winner", "encounter"][0] / n
    print(f"{name}: {duel.FIRST} {rate:.4f} +- {math.sqrt(rate * (1 - rate) / n):.4f}, "
          f"{moments(ours['rounds', 'encounter'])[1]:.3f} {duel.UNITS}; {n} encounters in {seconds:.2f} s: "
          f"{n / seconds:,.0f} encounters a second, {seconds / n * 1e9:,.0f} ns an encounter")
    return ours


def main(duel, encounters):
    parser = argparse.ArgumentParser(description=duel.__doc__.split("\n")[0])
    parser.add_argument("encounters", nargs="?", type=int, default=encounters,
                        help=f"in plain Python ({encounters}); numba plays 100 times as many")
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print the mean of every metric")
    parser.add_argument("--check", metavar="DIR", help="compare 1,000,000 encounters (100,000 without numba) "
                        "with the summary.csv and distributions.csv in DIR")
    options = parser.parse_args()
    if options.check:
        n, play = (1_000_000, under_numba(duel)) if njit else (100_000, plain(duel))
        return 0 if check(duel.metrics(play(n, options.seed)), options.check) else 1
    ours = measure("plain Python, all metrics, dice by randint", with_randint(duel), duel,
                   options.encounters, options.seed)
    ours = measure("plain Python, all metrics", plain(duel), duel, options.encounters, options.seed)
    if njit:
        ours = measure("numba, plain code and np.random, all metrics", under_numba(duel), duel,
                       options.encounters * 100, options.seed)
    else:
        print("numba is not installed")
    if options.show:
        show(ours)
    return 0
