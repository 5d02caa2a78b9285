#!/usr/bin/env python3
"""The duel of scenarios/mage-initiative.toml, written by hand, with all that `skirmish run` counts.

The same fight as mage_duel.py, which counts who wins and the turns only. Here each encounter adds to a
histogram of every metric of summary.csv and distributions.csv, as the program does. `count` is plain code:
Python runs it, and numba, where it is installed, compiles it as it stands.

Left out is what a hand would leave out: a metric that must be 0 in this duel (nobody moves, casts or heals,
and one success is enough) or must be equal to another one, for a side is one combatant, a combatant has one
enemy, and its turn is one attack (health_left is health, survivors and alive say who has fallen, damage_taken
is the other's damage, turns are attacks, and who attacks at all does so in the first turn). `metrics` says
which, and --check compares them as well. The lowest encounter that showed a value (examples.csv) is not kept.

    python3 benches/peers/mage_duel_counts.py [encounters] [seed] [--show]
    benches/peers/.venv/bin/python benches/peers/mage_duel_counts.py         # with numba
    target/release/skirmish run scenarios/mage-initiative.toml --variant base -n 1M -q -o /tmp/peers
    benches/peers/.venv/bin/python benches/peers/mage_duel_counts.py --check /tmp/peers/mage-initiative

Needs Python 3.8 or later and nothing else; for numba see mage_duel_numba.py.
"""

import sys

import counting
from mage_duel import (DAMAGE, DIFFICULTY, LEVELS, MAX_TURNS, PENALTY, POOL, RATING, REQUIRED, SOAK)

FIRST, UNITS = "left wins", "turns"
# Tens give dice without end; nobody has come near so many successes.
MANY = 128
BOTH = ("left", "right")
# Metric, subject, room for its values: in the order in which `count` takes them.
TABLES = (
    ("winner", "encounter", 4),          # left, right, mutual, timeout
    ("rounds", "encounter", MAX_TURNS + 1),
    ("fell", "left", MAX_TURNS + 1),     # the turn in which it fell; 0 if it stands
    ("fell", "right", MAX_TURNS + 1),
    ("health", "left", LEVELS + 1),
    ("health", "right", LEVELS + 1),
    ("damage", "left", MANY),
    ("damage", "right", MANY),
    ("attacks", "left", MAX_TURNS + 1),
    ("attacks", "right", MAX_TURNS + 1),
    ("hits", "left", MAX_TURNS + 1),
    ("hits", "right", MAX_TURNS + 1),
    ("successes", "left", MAX_TURNS * MANY),
    ("successes", "right", MAX_TURNS * MANY),
    ("botches", "left", MAX_TURNS + 1),
    ("botches", "right", MAX_TURNS + 1),
)


def attack(rand, lost):
    """The net successes of one attack by somebody who has lost so many levels."""
    dice = POOL - PENALTY[lost]
    ones = successes = 0
    while dice > 0:
        dice -= 1
        face = int(rand() * 10) + 1
        if face == 1:
            ones += 1
        elif face >= DIFFICULTY:
            successes += 1
            if face == 10:
                dice += 1
    return successes - ones


if counting.njit:
    from numba.extending import register_jitable
    attack = register_jitable(attack)    # the same function; compiled where compiled code calls it


def count(n, rand, histograms):
    """Plays so many encounters and adds each to the histograms."""
    (winner, of_turns, l_fell, r_fell, l_health, r_health, l_damage, r_damage,
     l_of_attacks, r_of_attacks, l_of_hits, r_of_hits, l_of_successes, r_of_successes,
     l_of_botches, r_of_botches) = histograms
    for _ in range(n):
        left = right = 0                 # levels lost, overkill included
        l_attacks = r_attacks = l_hits = r_hits = 0
        l_successes = r_successes = l_botches = r_botches = 0
        turn = 0
        for turn in range(1, MAX_TURNS + 1):
            a = RATING + int(rand() * 10) + 1
            b = RATING + int(rand() * 10) + 1
            was = right
            if a >= b:
                l_attacks += 1
                net = attack(rand, left)
                if net > 0:
                    l_successes += net
                    if net >= REQUIRED:
                        l_hits += 1
                        right += max(DAMAGE + net - REQUIRED - SOAK, 0)
                elif net < 0:
                    l_botches += 1
                if right >= LEVELS and a > b:
                    break
            r_attacks += 1
            net = attack(rand, was if a == b else right)  # simultaneous: both choose on the same state
            if net > 0:
                r_successes += net
                if net >= REQUIRED:
                    r_hits += 1
                    left += max(DAMAGE + net - REQUIRED - SOAK, 0)
            elif net < 0:
                r_botches += 1
            if left >= LEVELS:
                break
            if a < b:
                l_attacks += 1
                net = attack(rand, left)
                if net > 0:
                    l_successes += net
                    if net >= REQUIRED:
                        l_hits += 1
                        right += max(DAMAGE + net - REQUIRED - SOAK, 0)
                elif net < 0:
                    l_botches += 1
            if right >= LEVELS:
                break

        if left >= LEVELS:
            l_fell[turn] += 1
            l_health[0] += 1
            if right >= LEVELS:
                winner[2] += 1
                r_fell[turn] += 1
                r_health[0] += 1
            else:
                winner[1] += 1
                r_fell[0] += 1
                r_health[LEVELS - right] += 1
        else:
            l_fell[0] += 1
            l_health[LEVELS - left] += 1
            if right >= LEVELS:
                winner[0] += 1
                r_fell[turn] += 1
                r_health[0] += 1
            else:
                winner[3] += 1
                r_fell[0] += 1
                r_health[LEVELS - right] += 1
        of_turns[turn] += 1
        l_damage[right] += 1
        r_damage[left] += 1
        l_of_attacks[l_attacks] += 1
        r_of_attacks[r_attacks] += 1
        l_of_hits[l_hits] += 1
        r_of_hits[r_hits] += 1
        l_of_successes[l_successes] += 1
        r_of_successes[r_successes] += 1
        l_of_botches[l_botches] += 1
        r_of_botches[r_botches] += 1


def metrics(tables):
    """All metrics that skirmish has for this duel, each with its histogram."""
    ours = {(metric, subject): table for (metric, subject, _), table in zip(TABLES, tables)}
    endings = ours["winner", "encounter"]
    n = sum(endings)
    for ending, i in counting.ENDINGS.items():
        ours[ending, "encounter"] = counting.share(n, endings[i])
    for i, who in enumerate(BOTH):
        fell = ours.pop(("fell", who))
        ours["standing", who] = counting.standing(n, [0] + fell[1:])
        ours["alive", who] = ours["survivors", who] = counting.share(n, fell[0])
        ours["win_rate", who] = counting.share(n, endings[i])
        ours["health_left", who] = ours["health", who]
        ours["damage_taken", who] = ours["damage", BOTH[1 - i]]
        ours["turns", who] = ours["attacks", who]
        ours["first_attack_turn", who] = [0, n - ours["attacks", who][0]]
        for never in ("attacks_lost", "units_moved", "spells_cast", "spells_fizzled", "diminished",
                      "dice_lost", "endurance_rolls", "collapsed", "paradox"):
            ours[never, who] = [n]
    return ours


if __name__ == "__main__":
    sys.exit(counting.main(sys.modules[__name__], 50_000))
