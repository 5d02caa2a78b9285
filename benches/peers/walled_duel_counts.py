#!/usr/bin/env python3
"""The walled duel of scenarios/walled-duel.toml, written by hand, with all that `skirmish run` counts.

The same fight as walled_duel.py, which counts who wins and the Rounds only. Here each encounter adds to a
histogram of every metric of summary.csv and distributions.csv, as the program does. `count` is plain code:
Python runs it, and numba, where it is installed, compiles it as it stands.

Left out is what a hand would leave out: a metric that must be 0 in this duel (nobody casts, the bow always
reaches, no Round is too short for a volley) or must be equal to another one, for a side is one combatant
and a combatant has one enemy (health_left is health, survivors and alive say who has fallen, damage_taken is
the other's damage). `metrics` says which, and --check compares them as well. The lowest encounter that showed
a value (examples.csv) is not kept.

    python3 benches/peers/walled_duel_counts.py [encounters] [seed] [--show]
    benches/peers/.venv/bin/python benches/peers/walled_duel_counts.py       # with numba
    target/release/skirmish run scenarios/walled-duel.toml -n 1M -q -o /tmp/peers
    benches/peers/.venv/bin/python benches/peers/walled_duel_counts.py --check /tmp/peers/walled-duel

Needs Python 3.8 or later and nothing else; for numba see walled_duel_numba.py.
"""

import sys

import counting
from walled_duel import (A_HEALTH, A_MOVE, A_NEEDS, A_SCORE, A_START, B_HEALTH, B_MOVE, B_NEEDS,
                         B_SCORE, B_START, MAX_ROUNDS, WALL)

FIRST, UNITS = "hunters win", "rounds"
MARKS = 30 * MAX_ROUNDS + 1
# Metric, subject, room for its values: in the order in which `count` takes them.
TABLES = (
    ("winner", "encounter", 4),          # hunters, beasts, mutual, timeout
    ("rounds", "encounter", MAX_ROUNDS + 1),
    ("marks", "encounter", MARKS),
    ("fell", "archer", MAX_ROUNDS + 1),  # the Round in which it fell; 0 if it stands
    ("fell", "brute", MAX_ROUNDS + 1),
    ("health", "archer", A_HEALTH + 1),
    ("health", "brute", B_HEALTH + 1),
    ("damage", "archer", B_HEALTH + 8),
    ("damage", "brute", A_HEALTH + 14),
    ("attacks", "archer", 3 * MAX_ROUNDS + 1),
    ("attacks", "brute", 2 * MAX_ROUNDS + 1),
    ("hits", "archer", 3 * MAX_ROUNDS + 1),
    ("hits", "brute", 2 * MAX_ROUNDS + 1),
    ("attacks_lost", "brute", 2 * MAX_ROUNDS + 1),
    ("units_moved", "archer", A_START - WALL + 1),
    ("units_moved", "brute", B_START - WALL + 1),
    ("marks_forfeited", "archer", MARKS),
    ("marks_forfeited", "brute", MARKS),
    ("first_attack", "archer", MARKS),
    ("first_attack", "brute", MARKS),
)


def count(n, rand, histograms):
    """Plays so many encounters and adds each to the histograms."""
    (winner, of_rounds, of_marks, a_fell, b_fell, a_health, b_health, a_damage, b_damage,
     a_of_attacks, b_of_attacks, a_of_hits, b_of_hits, b_of_lost, a_units, b_units,
     a_of_unspent, b_of_unspent, a_of_first, b_of_first) = histograms
    for _ in range(n):
        a_at, b_at = A_START, B_START
        a_hp, b_hp = A_HEALTH, B_HEALTH
        a_attacks = b_attacks = a_hits = b_hits = b_lost = 0
        a_unspent = b_unspent = 0        # Marks left at the ends of Rounds
        a_first = b_first = -1           # Marks until the first attack
        a_unset = False
        rounds = mark = 0
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
            a_passed = b_passed = 0          # Mark at which one was done for the Round
            b_step = False                   # a step is due
            a_moved = a_acted = a_attacked = False
            b_unset = b_into = b_acted = b_attacked = False
            while a_next >= 0 or b_next >= 0:
                if a_next >= b_next:         # the archer's characteristic is the higher
                    mark = a_next
                    if a_shots:              # an attack of the volley is due
                        a_attacks += 1
                        if int(rand() * 10) + int(rand() * 10) + 2 >= A_NEEDS:
                            a_hits += 1
                            b_hp -= int(rand() * 8) + 1
                            if b_hp <= 0:
                                break
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
                        if a_first < 0:      # the first of the volley comes at once
                            a_first = 30 * rounds - mark
                    elif distance <= 12 and can_retreat:               # retreat if ...
                        a_walk, a_acted, a_next = 1, True, mark - 1
                    else:
                        a_passed, a_next = mark, -1
                else:
                    mark = b_next
                    if b_blows:              # an attack of the volley is due, or lost
                        if a_at == b_at:
                            b_attacks += 1
                            if int(rand() * 10) + int(rand() * 10) + 2 >= B_NEEDS:
                                b_hits += 1
                                a_hp -= int(rand() * 6) + int(rand() * 6) + 4
                                if a_hp <= 0:
                                    break
                        else:
                            b_lost += 1
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
                            if b_first < 0:
                                b_first = 30 * rounds - mark
                        elif b_unset and mark >= 5:    # set if in_melee and not ready
                            b_unset, b_acted, b_next = False, True, mark - 5
                        else:
                            b_passed, b_next = mark, -1
                    elif b_moves:                      # advance
                        b_step, b_acted, b_next = True, True, mark - 1
                    else:
                        b_passed, b_next = mark, -1
            else:                            # nobody has fallen, and the Round is over
                a_unspent += a_passed
                b_unspent += b_passed
                continue
            break

        if b_hp <= 0:
            winner[0] += 1
            a_fell[0] += 1
            b_fell[rounds] += 1
            a_health[a_hp] += 1
            b_health[0] += 1
        elif a_hp <= 0:
            winner[1] += 1
            a_fell[rounds] += 1
            b_fell[0] += 1
            a_health[0] += 1
            b_health[b_hp] += 1
        else:
            winner[3] += 1
            a_fell[0] += 1
            b_fell[0] += 1
            a_health[a_hp] += 1
            b_health[b_hp] += 1
            mark = 0
        of_rounds[rounds] += 1
        of_marks[30 * rounds - mark] += 1
        a_damage[B_HEALTH - b_hp] += 1       # nobody is healed, so it is what has gone
        b_damage[A_HEALTH - a_hp] += 1
        a_of_attacks[a_attacks] += 1
        b_of_attacks[b_attacks] += 1
        a_of_hits[a_hits] += 1
        b_of_hits[b_hits] += 1
        b_of_lost[b_lost] += 1
        a_units[A_START - a_at] += 1         # nobody turns back, so it is how far one has come
        b_units[B_START - b_at] += 1
        a_of_unspent[a_unspent] += 1
        b_of_unspent[b_unspent] += 1
        if a_first >= 0:
            a_of_first[a_first] += 1
        if b_first >= 0:
            b_of_first[b_first] += 1


def metrics(tables):
    """All metrics that skirmish has for this duel, each with its histogram."""
    ours = {(metric, subject): table for (metric, subject, _), table in zip(TABLES, tables)}
    n = sum(ours["winner", "encounter"])
    endings = ours["winner", "encounter"]
    for ending, i in counting.ENDINGS.items():
        ours[ending, "encounter"] = counting.share(n, endings[i])
    pairs = (("archer", "hunters", "brute"), ("brute", "beasts", "archer"))
    for i, (who, side, enemy) in enumerate(pairs):
        fell = ours.pop(("fell", who))
        ours["standing", who] = counting.standing(n, [0] + fell[1:])
        ours["alive", who] = ours["survivors", side] = counting.share(n, fell[0])
        ours["win_rate", side] = counting.share(n, endings[i])
        ours["health_left", side] = ours["health", who]
        ours["damage_taken", who] = ours["damage", enemy]
        for never in ("attacks_forfeited", "spells_cast", "spells_fizzled"):
            ours[never, who] = [n]
    ours["attacks_lost", "archer"] = [n]
    return ours


if __name__ == "__main__":
    sys.exit(counting.main(sys.modules[__name__], 20_000))
