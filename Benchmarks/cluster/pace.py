#!/usr/bin/env python3
"""Runs an engagement, and watches whether it stays as quick as it begins.

    pace.py FILE TOTAL COMMAND...

The command's standard error has to be `skynet engage`'s, with a line for each of TOTAL sectors; it is
copied to this process's, less those lines. FILE gets one line: the summary's seconds, sectors a
second of the first tenth and of the last, and the command's peak of resident memory in MiB. Lines are
timed as they arrive, which is up to 20 ms after the result, and counted by the lot.
"""
import bisect
import os
import subprocess
import sys
import time

from children import ended

file, total = sys.argv[1], int(sys.argv[2])
engage = subprocess.Popen(sys.argv[3:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
times, counts = [], []
completed = 0
rest = b""
others = []
while lot := os.read(engage.stderr.fileno(), 1 << 20):
    now = time.monotonic()
    rest += lot
    end = rest.rfind(b"\n") + 1
    lines, rest = rest[:end], rest[end:]
    count = lines.count(b"completed ")
    if count > 0:
        completed += count
        times.append(now)
        counts.append(completed)
    if count < lines.count(b"\n"):
        others += (line for line in lines.splitlines() if not line.startswith(b"completed "))
usage = ended(engage)
for line in others:
    print(line.decode(), file=sys.stderr)
if engage.returncode != 0 or completed != total:
    sys.exit(f"{completed} of {total} sectors were completed, status {engage.returncode}")


def rate(first, last):
    """Sectors a second between two counts, at the lots that reach them."""
    begin, end = (min(bisect.bisect_left(counts, count), len(counts) - 1) for count in (first, last))
    if begin == end:
        sys.exit("too few sectors to time a tenth of them")
    return (counts[end] - counts[begin]) / (times[end] - times[begin])


seconds = next(line.split()[5].decode() for line in reversed(others) if b" sectors in " in line)
with open(file, "w") as output:
    print(
        seconds, f"{rate(0, total / 10):.0f} {rate(total * 0.9, total):.0f}",
        f"{usage.ru_maxrss / 1024:.1f}", file=output)
