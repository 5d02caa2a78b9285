#!/usr/bin/env python3
"""The walled duel of scenarios/walled-duel.toml, written by hand in plain Python.

The archer kites with 20 Units and a wall behind it; the brute walks up and strikes. Only what
this one fight needs is here: Full Round, rolled initiative that explodes once, one attack action a
Round, Set, offsets, forfeits. The archer's characteristic is the higher, so nothing is simultaneous;
everything stays within the bow's range; armour is folded into the constants.

    python3 benches/peers/walled_duel.py [encounters] [seed]

Needs Python 3.8 or later and nothing else.
"""

import math
import sys
import time
from random import Random

# scenarios/walled-duel.toml
A_START, B_START, WALL = 20, 50, 0
A_HEALTH, B_HEALTH = 40, 73
A_SCORE, B_SCORE = 15 - 1, 10 - 2    # characteristic less half the armour's penalty
A_MOVE, B_MOVE = 15, 12
# 2d10 + bonus >= evade
A_NEEDS = 16 - 9
B_NEEDS = 18 - 8
MAX_ROUNDS = 50


def play(rng):
    """One encounter: 1 the archer wins, 0 the brute, -1 nobody; and the number of Rounds."""
    rand = rng.random
    a_at, b_at = A_START, B_START
    a_hp, b_hp = A_HEALTH, B_HEALTH
    a_unset = False
    for rounds in range(1, MAX_ROUNDS + 1):
        d = int(rand() * 10) + 1
        a_next = A_SCORE + d
        if d == 10:
            a_next += int(rand() * 10) + 1
        d = int(rand() * 10) + 1
        b_next = B_SCORE + d
        if d == 10:
            b_next += int(rand() * 10) + 1
        if a_next > 30:
            a_next = 30
        if b_next > 30:
            b_next = 30

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
                    if int(rand() * 10) + int(rand() * 10) + 2 >= A_NEEDS:
                        b_hp -= int(rand() * 8) + 1
                        if b_hp <= 0:
                            return 1, rounds
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
                can_retreat = a_moves and a_at > WALL
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
                    if a_at == b_at and int(rand() * 10) + int(rand() * 10) + 2 >= B_NEEDS:
                        a_hp -= int(rand() * 6) + int(rand() * 6) + 4
                        if a_hp <= 0:
                            return 0, rounds
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
                    b_step, b_acted, b_next = True, True, mark - 1
                else:
                    b_next = -1
    return -1, MAX_ROUNDS


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    rng = Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    wins = rounds = 0
    start = time.perf_counter()
    for _ in range(n):
        won, lasted = play(rng)
        wins += won == 1
        rounds += lasted
    seconds = time.perf_counter() - start
    rate = wins / n
    print(f"plain Python: hunters win {rate:.4f} +- {math.sqrt(rate * (1 - rate) / n):.4f}, "
          f"{rounds / n:.3f} rounds; {n} encounters in {seconds:.2f} s: "
          f"{n / seconds:,.0f} encounters a second, {seconds / n * 1e9:,.0f} ns an encounter")


if __name__ == "__main__":
    main()
