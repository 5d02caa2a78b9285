#!/usr/bin/env python3
"""The walled duel of scenarios/walled-duel.toml, written by hand in plain Python.

The archer kites with 20 Units and a wall behind it; the brute walks up and strikes. Only what
this one fight needs is here: Full Round, rolled initiative that explodes once, one attack action a
Round, Set, offsets, no ties (the two have different characteristics), no armour on the Score
beyond what is folded into the constants.

    python3 benches/peers/walled_duel.py [encounters] [seed]

Needs Python 3.8 or later and nothing else.
"""

import math
import sys
import time
from random import Random

# scenarios/walled-duel.toml
A_START, B_START, WALL_LOW = 20, 50, 0
A_HEALTH, B_HEALTH = 40, 60
A_SCORE, B_SCORE = 15 - 1, 10 - 2    # characteristic less half the armour's penalty
A_MOVE, B_MOVE = 15, 12
RANGE = 60
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

        # The Mark of the next thing each does: its decision, a step of a retreat, an attack.
        a_moves, b_moves = A_MOVE, B_MOVE
        a_walk = 0                       # Units left of the committed retreat
        a_shots = b_blows = 0            # attacks still to come of the volley
        a_step = b_step = False          # the next thing is a single step
        a_free = b_free = 0              # Mark at which one is free after the volley
        a_moved = a_acted = a_attacked = b_unset = b_into = b_attacked = False
        first = True
        while True:
            if a_next >= b_next:         # the archer's characteristic is the higher
                mark = a_next
                if mark < 0 or (mark == 0 and not (a_walk or a_step)):
                    if b_next < 1 and not (b_next == 0 and b_step):
                        break
                    a_next = -1
                    continue
                if a_shots:
                    # an attack of a volley that is due
                    a_shots -= 1
                    if abs(a_at - b_at) <= RANGE and \
                            int(rand() * 10) + int(rand() * 10) + 2 >= A_NEEDS:
                        damage = int(rand() * 8) + 1
                        if damage > 0:
                            b_hp -= damage
                            if b_hp <= 0:
                                return 1, rounds
                    a_next = mark - 5 if a_shots else a_free
                    if a_next < 1:
                        a_shots = 0
                    continue
                if a_walk or a_step:
                    # a step that is due; from one Unit it goes down, away from the brute's start
                    down = a_at <= b_at
                    if not down or a_at > WALL_LOW:
                        to = a_at - 1 if down else a_at + 1
                        a_at = to
                        a_moves -= 1
                        a_moved = a_unset = True
                        if to == b_at:
                            b_unset = False
                    a_step = False
                    if a_walk:
                        a_walk -= 1
                if mark == 0:
                    a_next = -1
                    continue
                down = a_at <= b_at
                distance = b_at - a_at if down else a_at - b_at
                can_retreat = a_moves > 0 and (not down or a_at > WALL_LOW)
                if a_walk:
                    if can_retreat:
                        a_next = mark - 1
                        continue
                    a_walk = 0
                # retreat 7 if distance <= 5 and not moved
                if distance <= 5 and not a_moved and can_retreat:
                    a_walk, a_acted, a_next = 7, True, mark - 1
                # set if not ready
                elif a_unset and mark >= 5:
                    a_unset, a_acted, a_next = False, True, mark - 5
                # attack
                elif not a_attacked and not a_unset and (mark >= 15 or not a_acted) \
                        and distance <= RANGE:
                    a_attacked = True
                    a_shots = 1 if a_acted else 3
                    a_acted = True
                    a_free = mark - 15
                # retreat if distance <= 12
                elif distance <= 12 and can_retreat:
                    a_step, a_acted, a_next = True, True, mark - 1
                else:
                    a_next = -1
            else:
                mark = b_next
                if b_blows:
                    b_blows -= 1
                    if a_at == b_at and int(rand() * 10) + int(rand() * 10) + 2 >= B_NEEDS:
                        a_hp -= int(rand() * 6) + int(rand() * 6) + 4
                        if a_hp <= 0:
                            return 0, rounds
                    b_next = mark - 7 if b_blows else b_free
                    if b_next < 1:
                        b_blows = 0
                    continue
                if b_step:
                    b_step = False
                    if a_at != b_at:
                        b_at += 1 if b_at < a_at else -1
                        b_moves -= 1
                        b_unset = True
                        if a_at == b_at:
                            b_into = True
                if mark < 1:
                    b_next = -1
                    continue
                # attack
                if not b_attacked and not b_unset and a_at == b_at and (mark >= 15 or first):
                    b_attacked = True
                    b_blows = 1 if b_into else 2
                    b_free = mark - 15
                    first = False
                # set if in_melee and not ready
                elif b_unset and a_at == b_at and mark >= 5:
                    b_unset, b_next, first = False, mark - 5, False
                # advance
                elif a_at != b_at and b_moves > 0:
                    b_step, b_next, first = True, mark - 1, False
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
