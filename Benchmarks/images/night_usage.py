#!/usr/bin/env python3
"""Runs a command beside nodes, and writes the time and the processor time of all of them.

    night_usage.py FILE PID,PID,... COMMAND...

The nodes' processes may be none (""). FILE gets one line: seconds of processor time of the command with the
processes that it started, and of the nodes with theirs; seconds of elapsed time. The command's standard output is
dropped. The exit status is the command's.
"""
import os
import subprocess
import sys
import time

from children import ended, processor_time

TICK = os.sysconf("SC_CLK_TCK")


def fields(pid):
    with open(f"/proc/{pid}/stat") as file:
        # After the name, which is in parentheses, the parent's number is field 4.
        return file.read().rpartition(")")[2].split()


def tree_time(roots):
    """The processor time of processes, of the ones that they started, and of those of them that have ended."""
    stats = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                stats[int(entry)] = fields(entry)
            except OSError:
                pass  # It has ended.
    total = 0
    for pid in stats:
        ancestor = pid
        while ancestor not in roots and ancestor in stats:
            ancestor = int(stats[ancestor][1])
        if ancestor in roots:
            # User and system time, own and of the ended children.
            total += sum(map(int, stats[pid][11:15])) / TICK
    return total


nodes = {int(pid) for pid in sys.argv[2].split(",") if pid}
before = tree_time(nodes)
begin = time.monotonic()
child = subprocess.Popen(sys.argv[3:], stdout=subprocess.DEVNULL)
usage = ended(child)
elapsed = time.monotonic() - begin
total = tree_time(nodes) - before + processor_time(usage)
with open(sys.argv[1], "w") as file:
    print(f"{total:.3f} {elapsed:.3f}", file=file)
sys.exit(child.returncode if child.returncode >= 0 else 128 - child.returncode)
