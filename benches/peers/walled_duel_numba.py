#!/usr/bin/env python3
"""The walled duel of scenarios/walled-duel.toml, written by hand for numba: one thread, compiled
before the clock starts.

The same rules as walled_duel.py, with what a careful hand can do for speed: no memory but local
variables, xoroshiro128++ kept in two of them, an attack's hit and damage from the two halves of one
draw, the hit as one comparison with its exact chance, and steps that nobody can answer made at once.
Before it, for comparison, walled_duel.py itself under @njit with numpy's generator.

    python3 -m venv benches/peers/.venv
    benches/peers/.venv/bin/pip install -r benches/peers/requirements.txt
    benches/peers/.venv/bin/python benches/peers/walled_duel_numba.py [encounters] [seed]
"""

import inspect
import math
import sys
import time

import numpy as np
from numba import njit, uint64

import walled_duel
from walled_duel import (A_HEALTH, A_MOVE, A_NEEDS, A_SCORE, A_START, B_HEALTH, B_MOVE, B_NEEDS,
                         B_SCORE, B_START, MAX_ROUNDS, WALL)


def chance_of(needs):
    """Of 2d10 >= needs, in parts of 2 ** 32."""
    good = sum(a + b >= needs for a in range(1, 11) for b in range(1, 11))
    return good * 2**32 // 100


A_HITS = uint64(chance_of(A_NEEDS))
B_HITS = uint64(chance_of(B_NEEDS))
LOW = uint64(0xFFFFFFFF)
S32 = uint64(32)


@njit(inline="always")
def draw(s0, s1):
    """xoroshiro128++: 64 bits and the new state."""
    t = s0 + s1
    result = ((t << uint64(17)) | (t >> uint64(47))) + s0
    s1 ^= s0
    s0 = ((s0 << uint64(49)) | (s0 >> uint64(15))) ^ s1 ^ (s1 << uint64(21))
    s1 = (s1 << uint64(28)) | (s1 >> uint64(36))
    return result, s0, s1


@njit(inline="always")
def initiative(bits, characteristic):
    """1d10, on a 10 one more, never above 30."""
    score = characteristic + 1 + np.int64(((bits >> S32) * uint64(10)) >> S32)
    if score == characteristic + 10:
        score += 1 + np.int64(((bits & LOW) * uint64(10)) >> S32)
    return min(score, 30)


@njit(inline="always")
def play(s0, s1):
    """One encounter: 1 the archer wins, 0 the brute, -1 nobody; the Rounds; the generator."""
    a_at, b_at = A_START, B_START
    a_hp, b_hp = A_HEALTH, B_HEALTH
    a_unset = False
    for rounds in range(1, MAX_ROUNDS + 1):
        bits, s0, s1 = draw(s0, s1)
        a_next = initiative(bits, A_SCORE)
        bits, s0, s1 = draw(s0, s1)
        b_next = initiative(bits, B_SCORE)
        # The Mark of the next thing each does: its decision, a step that is due, an attack.
        a_moves, b_moves = A_MOVE, B_MOVE
        a_walk = 0                       # steps still to make of a retreat
        a_shots = b_blows = 0            # attacks still to come of a volley
        a_free = b_free = 0              # Mark at which one is free after the volley
        b_step = False                   # a step is due
        a_moved = a_acted = a_attacked = False
        b_unset = b_into = b_acted = b_attacked = False
        while a_next >= 0 or b_next >= 0:
            if a_next >= b_next:         # the archer's characteristic is the higher
                mark = a_next
                if a_shots:              # an attack of the volley is due
                    bits, s0, s1 = draw(s0, s1)
                    if bits >> S32 < A_HITS:
                        b_hp -= 1 + np.int64(bits & uint64(7))           # 1d8
                        if b_hp <= 0:
                            return 1, rounds, s0, s1
                    a_shots -= 1
                    a_next = mark - 5 if a_shots else a_free
                    if a_next < 1:
                        a_shots = 0
                    continue
                if a_walk:               # a step is due; the brute never comes to its left
                    a_walk -= 1
                    a_at -= 1
                    a_moves -= 1
                    a_moved = a_unset = True
                    if a_walk:
                        if a_moves and a_at > WALL and mark:
                            a_next = mark - 1
                            continue
                        a_walk = 0
                if mark == 0:
                    a_next = -1
                    continue
                distance = b_at - a_at
                can_retreat = a_moves > 0 and a_at > WALL
                if distance <= 5 and not a_moved and can_retreat:  # retreat 7 if ...
                    a_walk, a_acted, a_next = 7, True, mark - 1
                elif a_unset and mark >= 5:                        # set if not ready
                    a_unset, a_acted, a_next = False, True, mark - 5
                elif not a_attacked and not a_unset and (mark >= 15 or not a_acted):  # attack
                    a_shots = 1 if a_acted else 3
                    a_attacked = a_acted = True
                    a_free = mark - 15
                elif distance <= 12 and can_retreat:               # retreat if ...
                    a_walk, a_acted, a_next = 1, True, mark - 1
                else:
                    a_next = -1
            else:
                mark = b_next
                if b_blows:              # an attack of the volley is due, or lost
                    if a_at == b_at:
                        bits, s0, s1 = draw(s0, s1)
                        if bits >> S32 < B_HITS:
                            both = np.int64(((bits & LOW) * uint64(36)) >> S32)
                            a_hp -= both // 6 + both % 6 + 4             # 2d6+2
                            if a_hp <= 0:
                                return 0, rounds, s0, s1
                    b_blows -= 1
                    b_next = mark - 7 if b_blows else b_free
                    if b_next < 1:
                        b_blows = 0
                    continue
                if b_step:
                    b_step = False
                    b_at -= 1
                    b_moves -= 1
                    b_unset = True
                    if a_at == b_at:
                        b_into = True
                if mark == 0:
                    b_next = -1
                elif a_at == b_at:
                    if not b_attacked and not b_unset and (mark >= 15 or not b_acted):  # attack
                        b_attacked = b_acted = True
                        b_blows = 1 if b_into else 2
                        b_free = mark - 15
                    elif b_unset and mark >= 5:    # set if in_melee and not ready
                        b_unset, b_acted, b_next = False, True, mark - 5
                    else:
                        b_next = -1
                elif b_moves:                      # advance
                    # all the steps before the archer's next Mark but the last one at once
                    ahead = min(min(mark - max(a_next, 0) - 2, b_moves - 1), b_at - a_at - 1)
                    if ahead > 0:
                        b_at -= ahead
                        b_moves -= ahead
                        mark -= ahead
                    b_step, b_acted, b_next = True, True, mark - 1
                else:
                    b_next = -1
    return -1, MAX_ROUNDS, s0, s1


@njit
def play_many(n, seed):
    # splitmix64 spreads the seed over the state
    state = uint64(seed)
    s = (uint64(0), uint64(0))
    for i in range(2):
        state += uint64(0x9E3779B97F4A7C15)
        z = state
        z = (z ^ (z >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> uint64(27))) * uint64(0x94D049BB133111EB)
        s = (s[1], z ^ (z >> uint64(31)))
    s0, s1 = s
    wins = lost = total = 0
    for _ in range(n):
        won, rounds, s0, s1 = play(s0, s1)
        wins += won == 1
        lost += won == 0
        total += rounds
    return wins, lost, total


def plain_under_njit():
    """walled_duel.play as it stands, compiled, with np.random."""
    source = inspect.getsource(walled_duel.play)
    source = source.replace("def play(rng)", "def play_plain()").replace(
        "    rand = rng.random\n", "").replace("rand()", "np.random.random()")
    names = {**vars(walled_duel), "np": np}
    exec(source, names)  # noqa: S102 - our own source
    one = njit(names["play_plain"])

    @njit
    def many(n, seed):
        np.random.seed(seed)
        wins = lost = total = 0
        for _ in range(n):
            won, rounds = one()
            wins += won == 1
            lost += won == 0
            total += rounds
        return wins, lost, total

    return many


def measure(name, many, n, seed):
    start = time.perf_counter()
    many(1, seed)
    compiling = time.perf_counter() - start
    start = time.perf_counter()
    wins, _, rounds = many(n, seed)
    seconds = time.perf_counter() - start
    rate = wins / n
    print(f"{name}: hunters win {rate:.4f} +- {math.sqrt(rate * (1 - rate) / n):.4f}, "
          f"{rounds / n:.3f} rounds; {n} encounters in {seconds:.2f} s: "
          f"{n / seconds:,.0f} encounters a second, {seconds / n * 1e9:,.0f} ns an encounter "
          f"(compiled in {compiling:.1f} s)")


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    measure("numba, plain code and np.random", plain_under_njit(), n, seed)
    measure("numba, by hand", play_many, n, seed)


if __name__ == "__main__":
    main()
