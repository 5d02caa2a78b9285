#!/usr/bin/env python3
"""The duel of scenarios/mage-initiative.toml as a designer would write it: plain Python, standard
library, dice and all. Prints the rate of wins and the speed.

    python3 benches/peers/mage_duel.py [encounters] [seed]
"""

import math
import sys
import time
from random import Random

# scenarios/mage-initiative.toml
POOL, DIFFICULTY, REQUIRED = 8, 6, 1
DAMAGE, SOAK = 1, 1
LEVELS = 7
RATING = 4 + 3
MAX_TURNS = 60
# Dice off the pool, by levels lost: unhurt, Bruised, Hurt, Injured, Wounded, Mauled, Crippled, out.
PENALTY = (0, 0, 1, 1, 2, 2, 5, 0)


def attack(rand, lost):
    """The damage of one attack by somebody who has lost so many levels."""
    dice = POOL - PENALTY[lost]
    net = ones = successes = 0
    while dice > 0:
        dice -= 1
        face = int(rand() * 10) + 1
        if face == 1:
            ones += 1
        elif face >= DIFFICULTY:
            successes += 1
            if face == 10:
                dice += 1
    net = successes - ones
    if net < REQUIRED:
        return 0
    return max(DAMAGE + net - REQUIRED - SOAK, 0)


def play(rng):
    """One encounter: 1 the left wins, 0 the right, -1 nobody; and the number of turns."""
    rand = rng.random
    left = right = 0
    for turn in range(1, MAX_TURNS + 1):
        a = RATING + int(rand() * 10) + 1
        b = RATING + int(rand() * 10) + 1
        if a == b:                       # simultaneous: both choose on the same state
            on_right, on_left = attack(rand, left), attack(rand, right)
            left += on_left
            right += on_right
            if left >= LEVELS and right >= LEVELS:
                return -1, turn
        elif a > b:
            right += attack(rand, left)
            if right < LEVELS:
                left += attack(rand, right)
        else:
            left += attack(rand, right)
            if left < LEVELS:
                right += attack(rand, left)
        if left >= LEVELS:
            return 0, turn
        if right >= LEVELS:
            return 1, turn
    return -1, MAX_TURNS


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
    rng = Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    wins = turns = 0
    start = time.perf_counter()
    for _ in range(n):
        won, lasted = play(rng)
        wins += won == 1
        turns += lasted
    seconds = time.perf_counter() - start
    rate = wins / n
    print(f"plain Python: left wins {rate:.4f} +- {math.sqrt(rate * (1 - rate) / n):.4f}, "
          f"{turns / n:.3f} turns; {n} encounters in {seconds:.2f} s: "
          f"{n / seconds:,.0f} encounters a second, {seconds / n * 1e9:,.0f} ns an encounter")


if __name__ == "__main__":
    main()
