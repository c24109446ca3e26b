#!/usr/bin/env python3
"""Runs an engagement, and measures whether it stays as fast as at its beginning.

    pace.py FILE TOTAL COMMAND...

The command must be `skynet engage`, with a line on standard error for each of TOTAL sectors; its standard
error is copied to this process's without these lines. FILE gets one line: the summary's seconds, sectors
per second of the first tenth and of the last, and the command's peak of resident memory in MiB. Lines are
timed when they arrive, up to 20 ms after the result, and counted in batches.
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
    """Sectors per second between two counts, at the batches that reach them."""
    begin, end = (min(bisect.bisect_left(counts, count), len(counts) - 1) for count in (first, last))
    if begin == end:
        sys.exit("too few sectors to time a tenth of them")
    return (counts[end] - counts[begin]) / (times[end] - times[begin])


seconds = next(line.split()[5].decode() for line in reversed(others) if b" sectors in " in line)
with open(file, "w") as output:
    print(
        seconds, f"{rate(0, total / 10):.0f} {rate(total * 0.9, total):.0f}",
        f"{usage.ru_maxrss / 1024:.1f}", file=output)
