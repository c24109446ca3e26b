#!/usr/bin/env python3
"""Runs an engagement, and watches its processor time and that of its nodes.

    two_nodes.py FILE NODE_PID,NODE_PID COMMAND...

The command must be `skynet engage`: by its standard error, the run lasts from the last `connected` line
before its first result to its last `completed` line (which may be written 20 ms late). Prints the use of
the processors in that time, and writes to FILE the processor time of all processes from start to end.
"""
import os
import subprocess
import sys
import time

from children import ended, processor_time

TICK = os.sysconf("SC_CLK_TCK")


def process_time(pid):
    with open(f"/proc/{pid}/stat") as file:
        # After the name, which is in parentheses, user and system time are fields 14 and 15.
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def machine_time():
    """The processor time of all processes together, and the idle time."""
    with open("/proc/stat") as file:
        user, nice, system, idle, wait, irq, softirq, steal = map(int, file.readline().split()[1:9])
    return (user + nice + system + irq + softirq + steal) / TICK, (idle + wait) / TICK


nodes = [int(pid) for pid in sys.argv[2].split(",")]
before = sum(map(process_time, nodes))
engage = subprocess.Popen(sys.argv[3:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def sample():
    coordinator = process_time(engage.pid)
    return time.monotonic(), coordinator, sum(map(process_time, nodes)), *machine_time()


begin = end = None
results = 0
last = ""
for line in engage.stderr:
    last = line.rstrip()
    if " connected " in line and results == 0:
        begin = sample()
    elif line.startswith("completed "):
        results += 1
        end = sample()
usage = ended(engage)
print(last)
if engage.returncode != 0 or begin is None or end is None:
    sys.exit("the run failed")
total = sum(map(process_time, nodes)) - before + processor_time(usage)
elapsed, coordinator, scanning, everyone, idle = (
    later - earlier for earlier, later in zip(begin, end))
ours = coordinator + scanning
print(
    f"  in the run's {elapsed:.2f} s: {ours:.2f} s of processor time (coordinator {coordinator:.2f}, "
    f"nodes {scanning:.2f}), {ours / (2 * elapsed):.2f} of two cores (target 0.90); "
    f"other processes took {max(0, everyone - ours):.2f} s, and {idle:.2f} s were idle")
with open(sys.argv[1], "w") as file:
    print(f"{total:.3f}", file=file)
