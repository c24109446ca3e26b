#!/usr/bin/env python3
"""Wraps a compiler: runs it, and records what it was used for, and when.

    compiler.py TIMES COMPILER ARGUMENTS...

Adds a line to the file TIMES: begin and end in seconds since 1970, seconds of processor time, package and module.
"""
import os
import re
import resource
import subprocess
import sys
import time

times, *command = sys.argv[1:]
begin = time.time()
status = subprocess.run(command).returncode
end = time.time()
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
if "-emit-executable" in command:
    name = "linking"
elif "-module-name" in command and source:
    name = command[command.index("-module-name") + 1]
else:
    name = module.group(1) if module else "all else"
seconds = used.ru_utime + used.ru_stime
with open(times, "a") as file:
    file.write(f"{begin:.2f}\t{end:.2f}\t{seconds:.2f}\t{package.group(1) if package else 'SkyNet'}\t{name}\n")
sys.exit(status)
