#!/usr/bin/env python3
"""Compares the processor time (user and system, the whole process) of two commands.

    interleave.py ROUNDS TARGET COMMAND... --versus COMMAND...

Each round runs the one and then the other, so that a slow hour of the machine affects both. Prints both
medians, the median of the rounds' ratios, and their spread. TARGET is only printed.
"""
import statistics
import subprocess
import sys

from children import ended, processor_time


def seconds(command):
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = child.stderr.read()
    usage = ended(child)
    if child.returncode != 0:
        sys.stderr.buffer.write(said)
        sys.exit(f"failed: {' '.join(command)}")
    return processor_time(usage)


rounds, target = int(sys.argv[1]), float(sys.argv[2])
middle = sys.argv.index("--versus")
first, second = sys.argv[3:middle], sys.argv[middle + 1 :]
# One run of each before the rounds, so that the files are in memory.
seconds(first), seconds(second)
pairs = [(seconds(first), seconds(second)) for _ in range(rounds)]
ratios = [one / other for one, other in pairs]
print(
    f"median ratio {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}; "
    f"target {target:.2f}): {statistics.median(p[0] for p in pairs):.3f} s, "
    f"reference {statistics.median(p[1] for p in pairs):.3f} s of processor time"
)
