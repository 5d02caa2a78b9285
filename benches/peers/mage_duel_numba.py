#!/usr/bin/env python3
"""The duel of scenarios/mage-initiative.toml, written by hand for numba: one thread, compiled before the
clock starts. The same code as mage_duel.py but for its dice, which come eight to a draw of xoroshiro128++.
After it, for comparison, mage_duel.py itself under @njit with numpy's generator.

    python3 -m venv benches/peers/.venv
    benches/peers/.venv/bin/pip install -r benches/peers/requirements.txt
    benches/peers/.venv/bin/python benches/peers/mage_duel_numba.py [encounters] [seed]
"""

import inspect
import math
import sys
import time

import numpy as np
from numba import njit, uint64

import mage_duel
from mage_duel import (DAMAGE, DIFFICULTY, LEVELS, MAX_TURNS, PENALTY, POOL, RATING, REQUIRED, SOAK)
from walled_duel_numba import draw

OFF = np.array(PENALTY)


@njit(inline="always")
def attack(s0, s1, lost):
    """The damage of one attack by somebody who has lost so many levels."""
    dice = POOL - OFF[lost]
    ones = successes = 0
    left = 0
    bits = uint64(0)
    while dice > 0:
        if left == 0:
            # Faces out of the 64 bits by multiplying: eight before the rest is too short to be fair.
            bits, s0, s1 = draw(s0, s1)
            left = 8
        left -= 1
        low = (bits & uint64(0xFFFFFFFF)) * uint64(10)
        high = (bits >> uint64(32)) * uint64(10) + (low >> uint64(32))
        face = np.int64(high >> uint64(32)) + 1
        bits = (high << uint64(32)) | (low & uint64(0xFFFFFFFF))
        dice -= 1
        if face == 1:
            ones += 1
        elif face >= DIFFICULTY:
            successes += 1
            if face == 10:
                dice += 1
    net = successes - ones
    if net < REQUIRED:
        return 0, s0, s1
    return max(DAMAGE + net - REQUIRED - SOAK, 0), s0, s1


@njit
def play_many(n, seed):
    state = uint64(seed)
    s = (uint64(0), uint64(0))
    for _ in range(2):
        state += uint64(0x9E3779B97F4A7C15)
        z = state
        z = (z ^ (z >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> uint64(27))) * uint64(0x94D049BB133111EB)
        s = (s[1], z ^ (z >> uint64(31)))
    s0, s1 = s
    wins = lost = total = 0
    for _ in range(n):
        left = right = 0
        for turn in range(1, MAX_TURNS + 1):
            total += 1
            bits, s0, s1 = draw(s0, s1)
            a = RATING + 1 + np.int64(((bits >> uint64(32)) * uint64(10)) >> uint64(32))
            b = RATING + 1 + np.int64(((bits & uint64(0xFFFFFFFF)) * uint64(10)) >> uint64(32))
            if a == b:
                on_right, s0, s1 = attack(s0, s1, left)
                on_left, s0, s1 = attack(s0, s1, right)
                left += on_left
                right += on_right
                if left >= LEVELS and right >= LEVELS:
                    break
            elif a > b:
                harm, s0, s1 = attack(s0, s1, left)
                right += harm
                if right < LEVELS:
                    harm, s0, s1 = attack(s0, s1, right)
                    left += harm
            else:
                harm, s0, s1 = attack(s0, s1, right)
                left += harm
                if left < LEVELS:
                    harm, s0, s1 = attack(s0, s1, left)
                    right += harm
            if left >= LEVELS:
                lost += 1
                break
            if right >= LEVELS:
                wins += 1
                break
    return wins, lost, total


def plain_under_njit():
    """mage_duel.play as it stands, compiled, with np.random."""
    source = inspect.getsource(mage_duel.play) + "\n\n" + inspect.getsource(mage_duel.attack)
    for old, new in (("def play(rng)", "def play_plain()"), ("    rand = rng.random\n", ""),
                     ("attack(rand, ", "attack("), ("rand()", "np.random.random()")):
        source = source.replace(old, new)
    names = {**vars(mage_duel), "np": np}
    exec(source, names)  # noqa: S102 - our own source
    names["attack"] = njit(names["attack"])
    one = njit(names["play_plain"])

    @njit
    def many(n, seed):
        np.random.seed(seed)
        wins = lost = total = 0
        for _ in range(n):
            won, turns = one()
            wins += won == 1
            lost += won == 0
            total += turns
        return wins, lost, total

    return many


def measure(name, many, n, seed):
    many(1, seed)
    start = time.perf_counter()
    wins, _, turns = many(n, seed)
    seconds = time.perf_counter() - start
    rate = wins / n
    print(f"{name}: left wins {rate:.4f} +- {math.sqrt(rate * (1 - rate) / n):.4f}, "
          f"{turns / n:.3f} turns; {n} encounters in {seconds:.2f} s: "
          f"{n / seconds:,.0f} encounters a second, {seconds / n * 1e9:,.0f} ns an encounter")


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    measure("numba, by hand", play_many, n, seed)
    measure("numba, plain code and np.random", plain_under_njit(), n, seed)


if __name__ == "__main__":
    main()
