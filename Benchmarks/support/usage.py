#!/usr/bin/env python3
"""Runs a command and writes its resource usage.

    usage.py FILE COMMAND...

FILE gets one line: seconds of processor time (user and system), seconds of elapsed time, and the
peak of resident memory in KiB. The exit status is the command's.
"""
import subprocess
import sys
import time

from children import ended, processor_time

begin = time.monotonic()
child = subprocess.Popen(sys.argv[2:])
usage = ended(child)
elapsed = time.monotonic() - begin
with open(sys.argv[1], "w") as file:
    print(f"{processor_time(usage):.3f} {elapsed:.3f} {usage.ru_maxrss}", file=file)
sys.exit(child.returncode if child.returncode >= 0 else 128 - child.returncode)
