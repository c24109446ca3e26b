#!/usr/bin/env python3
"""Runs a command and writes what it used.

    usage.py FILE COMMAND...

FILE gets one line: seconds of processor time (user and system), seconds of elapsed time, and the
peak of resident memory in KiB. The exit status is the command's.
"""
import os
import sys
import time

begin = time.monotonic()
child = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(child, 0)
elapsed = time.monotonic() - begin
with open(sys.argv[1], "w") as file:
    print(f"{usage.ru_utime + usage.ru_stime:.3f} {elapsed:.3f} {usage.ru_maxrss}", file=file)
code = os.waitstatus_to_exitcode(status)
sys.exit(code if code >= 0 else 128 - code)
