#!/usr/bin/env python3
"""Wraps a compiler: runs it, and records its processor time and its module.

    compiler.py TIMES COMPILER ARGUMENTS...

Adds a line to the file TIMES: seconds, package and module.
"""
import os
import re
import resource
import subprocess
import sys

times, *command = sys.argv[1:]
status = subprocess.run(command).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
# A source file among the arguments, or the first in a response file.
sources = [word for word in command if re.search(r"\.(swift|c|cc|cpp|S)$", word)]
for word in command:
    if word.startswith("@") and os.path.isfile(word[1:]):
        with open(word[1:]) as file:
            sources += file.read().split()[:1]
source = sources[0] if sources else ""
package = re.search(r"/checkouts/([^/]+)/", source)
module = re.search(r"/Sources/([^/]+)/", source)
name = module.group(1) if module else "linking and all else"
with open(times, "a") as file:
    seconds = used.ru_utime + used.ru_stime
    file.write(f"{seconds:.2f}\t{package.group(1) if package else 'SkyNet'}\t{name}\n")
sys.exit(status)
