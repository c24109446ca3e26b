#!/usr/bin/env python3
"""Runs a scan of many frames, and watches the private memory of its processes as catalogues appear.

    frame_memory.py FOLDER FIRST LAST COMMAND...

Prints the private memory (of the command and of the processes that it started) in MiB when FOLDER had FIRST files,
and the last one measured before it had LAST.
"""
import os
import subprocess
import sys
import tempfile
import time

folder, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return [int(child) for child in file.read().split()]
    except OSError:
        return []


def private(pid):
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            lines = file.read().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1024


def family(pid):
    return [pid] + [relative for child in children(pid) for relative in family(child)]


# A file, as nobody would read a pipe meanwhile.
said = tempfile.TemporaryFile()
child = subprocess.Popen(sys.argv[4:], stdout=subprocess.DEVNULL, stderr=said)
early = late = None
while child.poll() is None:
    count = sum(name.endswith(".csv") for name in os.listdir(folder))
    if first <= count < last:
        memory = sum(map(private, family(child.pid)))
        # While a process ends, its memory is gone.
        if memory > 0:
            early = early or memory
            late = memory
    time.sleep(0.005)
if child.returncode != 0:
    said.seek(0)
    sys.stderr.buffer.write(said.read())
    sys.exit("the run failed")
if early is None:
    sys.exit("the run was over before its memory could be measured")
print(f"{early:.2f} {late:.2f}")
