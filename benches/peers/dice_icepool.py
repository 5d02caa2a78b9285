"""The 180-cell Storyteller grid with icepool: success, botch, mean and spread of net successes.

Whole process, beside `skirmish odds --pool 1..20 --difficulty 2..10 --format csv`:

    python3 -m venv benches/peers/.venv
    benches/peers/.venv/bin/pip install icepool numpy
    cargo build --release
    python3 benches/peers/dice.py

icepool cuts explosions at a depth; 9 rerolls leave 10^-10 of a die out, 20 leave 10^-21.
"""

import sys

from icepool import Die, d10

DEPTH = int(sys.argv[1]) if len(sys.argv) > 1 else 9


def one_die(difficulty: int, depth: int):
    """Net of one die: a success, a cancelling 1, and on a 10 one more die."""
    base = d10.map(lambda face: -1 if face == 1 else int(face >= difficulty))
    die = base
    for _ in range(depth):
        inner = die
        outcomes = []
        for face in range(1, 11):
            if face == 10:
                outcomes.append(inner + 1)
            else:
                outcomes.append(-1 if face == 1 else int(face >= difficulty))
        die = Die(outcomes)
    return die


print("pool,difficulty,p_botch,p_failure,p_success,mean_net,sd_net")
for difficulty in range(2, 11):
    die = one_die(difficulty, DEPTH)
    for pool in range(1, 21):
        net = pool @ die
        row = [
            float(net.probability("<", 0)),
            float(net.probability("==", 0)),
            float(net.probability(">", 0)),
            float(net.mean()),
            float(net.standard_deviation()),
        ]
        print(pool, difficulty, *row, sep=",")
