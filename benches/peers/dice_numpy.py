"""Pools of 8 dice at difficulty 6, rolled with numpy as fast as it goes: a million pools at a time.

    benches/peers/.venv/bin/python benches/peers/dice_numpy.py
"""

import time

import numpy

POOLS, DICE, DIFFICULTY, BATCHES = 1_000_000, 8, 6, 5


def batch(generator):
    """Net successes of a million pools; 10s are rolled again until none is left."""
    faces = generator.integers(1, 11, size=(POOLS, DICE), dtype=numpy.uint8)
    net = (faces >= DIFFICULTY).sum(axis=1, dtype=numpy.int16)
    net -= (faces == 1).sum(axis=1, dtype=numpy.int16)
    owners = numpy.nonzero(faces == 10)[0]
    while owners.size:
        extra = generator.integers(1, 11, size=owners.size, dtype=numpy.uint8)
        worth = (extra >= DIFFICULTY).astype(numpy.int16) - (extra == 1)
        numpy.add.at(net, owners, worth)
        owners = owners[extra == 10]
    return net


generator = numpy.random.Generator(numpy.random.SFC64(1))
batch(generator)
best = float("inf")
for _ in range(BATCHES):
    start = time.perf_counter()
    net = batch(generator)
    best = min(best, time.perf_counter() - start)
print(f"numpy {numpy.__version__}: {POOLS / best / 1e6:.1f} million pools a second, mean {net.mean():.4f}")

# The same drawn from a table of the exact distribution, which numpy was given by hand.
values, counts = numpy.unique(net, return_counts=True)
chances = counts / counts.sum()
edges = numpy.cumsum(chances)
best = float("inf")
for _ in range(BATCHES):
    start = time.perf_counter()
    drawn = values[numpy.searchsorted(edges, generator.random(POOLS)).clip(max=len(values) - 1)]
    best = min(best, time.perf_counter() - start)
print(f"numpy, searched in a table: {POOLS / best / 1e6:.1f} million pools a second, mean {drawn.mean():.4f}")
