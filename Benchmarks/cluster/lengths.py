#!/usr/bin/env python3
"""Draws the lengths of simulated sectors as `skynet engage --scan-spread` does.

    lengths.py COUNT MEDIAN SPREAD SEED

Prints the seconds of sectors 0 to COUNT - 1 on a system of speed 1, one on each line. The method is
described in Sources/SkySimulation/ScanLengths.swift; a test compares the two.
"""
import math
import sys

MASK = (1 << 64) - 1
MAXIMUM = 86_400.0


def split_mix_64(seed):
    state = seed
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        yield z ^ (z >> 31)


def lengths(count, median, spread, seed):
    numbers = split_mix_64(seed)
    for _ in range(count):
        u, v = ((next(numbers) >> 11) / (1 << 53) for _ in range(2))
        z = math.sqrt(-2 * math.log(1 - u)) * math.cos(2 * math.pi * v)
        yield min(median * math.exp(spread * z), MAXIMUM)


if __name__ == "__main__":
    count, median, spread, seed = sys.argv[1:]
    for seconds in lengths(int(count), float(median), float(spread), int(seed)):
        print(repr(seconds))
