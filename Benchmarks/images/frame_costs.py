#!/usr/bin/env python3
"""Compares the processor time of two commands, and of all processes that each of them starts.

    frame_costs.py ROUNDS NAME TARGET COMMAND... --versus COMMAND...

Each round runs the one and then the other, so that a slow hour of the machine affects both. Prints one line:
the name, the median of the rounds' ratios and their spread, both medians, and the target.
"""
import ctypes
import os
import statistics
import subprocess
import sys

from children import processor_time

SUBREAPER = 36


def adopt():
    """Makes this process the parent of processes whose parent ends before them, where the system can."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)


def seconds(command):
    """The processor time of a command and of all of its descendants."""
    with open(os.devnull, "w") as nowhere:
        child = subprocess.Popen(command, stdout=nowhere, stderr=nowhere)
    total = 0.0
    while True:
        try:
            process, status, usage = os.wait4(-1, 0)
        except ChildProcessError:
            return total
        total += processor_time(usage)
        if process == child.pid:
            child.returncode = os.waitstatus_to_exitcode(status)
            if child.returncode != 0:
                sys.exit(f"failed: {' '.join(command)}")


def costs(rounds, ours, theirs):
    """The ratios of the rounds, and the medians of both commands in milliseconds."""
    # One run of each before the rounds, so that the files are in memory.
    seconds(ours), seconds(theirs)
    pairs = [(seconds(ours), seconds(theirs)) for _ in range(rounds)]
    return [our / their for our, their in pairs], [1000 * statistics.median(side) for side in zip(*pairs)]


def line(name, ratios, milliseconds, target):
    return (f"{name}: {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}; "
            f"{milliseconds[0]:.1f} ms over {milliseconds[1]:.1f} ms), to reach {target:g}")


def main(rounds, name, target, *commands):
    middle = commands.index("--versus")
    adopt()
    print(line(name, *costs(int(rounds), commands[:middle], commands[middle + 1:]), float(target)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
