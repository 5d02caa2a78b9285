#!/usr/bin/env python3
"""Solves an exported chain (DRN) and compares the answers with those of skirmish.

    python3 benches/peers/storm.py CHAIN.drn [SUMMARY.csv]

Prints bounds of the probability of each ending and of the mean of Rounds, by each solver:

- `push`: plain Python, here. Pushes probability along the transitions until hardly any is undecided.
- `storm`: Storm's sound mode on 64-bit numbers (interval iteration to 1e-12, or as near as it comes). Left out where stormpy is not installed.
- `exact`: Storm on rational numbers, for chains of at most 10,000 states.

SUMMARY.csv is the summary of an exact run of the same fight, with a `max_rounds` so large that no
encounter reaches it. Exit code 1 if an answer is farther than 1e-12 outside the bounds there. The
chain comes from skirmish: this checks how it is solved, not the rules.

`push` needs Python 3.8 or later and nothing else; Storm needs `pip install stormpy==2.0.0`.
"""

import csv
import sys
import time

# Probability that is not pushed any further.
UNDECIDED = 1e-15
# What 64-bit arithmetic may add to bounds.
ROUNDING = 1e-12
# Metrics that are endings.
OTHERS = ("mutual", "timeout", "escaped", "caught")
MOST_RATIONAL = 10_000
# Storm's bounds are this far apart only if it has given up.
GIVEN_UP = 1e-3


class Chain:
    """A DTMC: rows of (state, probability), rewards, and states by label."""

    def __init__(self, path):
        self.rows, self.rewards, self.labels, self.sides = [], [], {}, {}
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                words = line.split()
                if line.startswith("// - ") and line.endswith(" wins\n"):
                    label, side = line[5:-6].split(": ", 1)
                    self.sides[side] = label
                elif line.startswith("state "):
                    self.rows.append([])
                    self.rewards.append(float(words[2].strip("[]")))
                    for label in words[3:]:
                        self.labels[label] = int(words[1])
                elif line.startswith("\t\t"):
                    self.rows[-1].append((int(words[0]), float(words[2])))
        self.init = self.labels.pop("init")


def push(chain):
    """Bounds of each ending, and the mean of Rounds, without any library."""
    endings = set(chain.labels.values())
    ended = dict.fromkeys(endings, 0.0)
    now, rounds, undecided = {chain.init: 1.0}, 0.0, 1.0
    while undecided > UNDECIDED:
        after = {}
        for state, chance in now.items():
            rounds += chance * chain.rewards[state]
            for to, share in chain.rows[state]:
                if to in endings:
                    ended[to] += chance * share
                else:
                    after[to] = after.get(to, 0.0) + chance * share
        now, undecided = after, sum(after.values())
    bounds = {label: (ended[at], ended[at] + undecided) for label, at in chain.labels.items()}
    bounds["rounds"] = (rounds, rounds)
    return bounds


def storm(path, chain, value_type):
    """Bounds by Storm, which are equal for rational numbers."""
    import stormpy

    model = stormpy.build_model_from_drn[value_type](path)
    exact = value_type is not float
    over = " | ".join(f'"{label}"' for label in chain.labels)
    properties = {label: f'P=? [F "{label}"]' for label in chain.labels}
    properties["rounds"] = f'R{{"rounds"}}=? [F {over}]'

    def asked(text, digits):
        environment = stormpy.environments.exact() if exact else stormpy.environments.sound()
        native = environment.solver().native()
        native.method = stormpy.environments.NativeLinearEquationSolverMethod.INTERVAL_ITERATION
        native.precision = stormpy.Rational(f"1/{10**digits}")
        result = stormpy.model_checking(
            model, stormpy.parse_property(text), environment=environment
        )[model.initial_states[0]]
        return float(result.lower), float(result.upper)

    bounds = {}
    for label, text in properties.items():
        # Where rounding keeps its bounds farther apart than that, Storm gives up.
        for digits in range(12, 8, -1):
            bounds[label] = asked(text, digits)
            if bounds[label][1] - bounds[label][0] < GIVEN_UP:
                break
    return bounds


def solved(path, chain):
    """The bounds of all solvers that are at hand."""
    solvers = {"push": lambda: push(chain)}
    try:
        import stormpy
    except ImportError:
        print("stormpy is not installed: only push", file=sys.stderr)
    else:
        solvers["storm"] = lambda: storm(path, chain, float)
        if len(chain.rows) <= MOST_RATIONAL:
            solvers["exact"] = lambda: storm(path, chain, stormpy.Rational)
    for name, solve in solvers.items():
        began = time.perf_counter()
        bounds = solve()
        print(f"{name}: {time.perf_counter() - began:.2f} s", file=sys.stderr)
        yield name, bounds


def ours(path, chain):
    """The bounds of a summary, by label."""
    bounds = {}
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            label = row["metric"]
            if label == "win_rate":
                label = chain.sides[row["subject"]]
            elif label not in OTHERS and label != "rounds":
                continue
            bounds[label] = (float(row["ci_low"]), float(row["ci_high"]))
    return bounds


def main():
    path, *summary = sys.argv[1:]
    chain = Chain(path)
    transitions = sum(map(len, chain.rows))
    print(f"{len(chain.rows)} states, {transitions} transitions", file=sys.stderr)
    held = ours(summary[0], chain) if summary else {}
    wrong = 0
    print("ending,solver,low,high,outside")
    for label, (low, high) in held.items():
        print(f"{label},skirmish,{low!r},{high!r},")
    for name, bounds in solved(path, chain):
        for label, (low, high) in bounds.items():
            outside = ""
            if label in held:
                room = ROUNDING * max(1.0, high)
                outside = max(held[label][0] - high, low - held[label][1], 0.0)
                wrong += outside > room
            print(f"{label},{name},{low!r},{high!r},{outside}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
