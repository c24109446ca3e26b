#!/usr/bin/env python3
"""Prints what a build spent its time on.

    modules.py TIMES MANIFEST

TIMES is the file of compiler.py, MANIFEST what SwiftPM had llbuild do (`release.yaml` in the build folder).
Of each module: when its first compiler began and its last one ended, in seconds since the build's first; the processor
time of its compilers; and which modules waited for it, as of all that they import it was the last to be ready.
"""
import json
import re
import sys
from collections import defaultdict


class Module:
    """A module, with the times of its compilers."""

    def __init__(self, package):
        self.package = package
        self.begin = float("inf")
        self.end = 0.0
        self.processor = 0.0


def read_times(path):
    """The modules by their names."""
    modules = {}
    with open(path) as file:
        for line in file:
            begin, end, processor, package, name = line.rstrip("\n").split("\t")
            module = modules.setdefault(name, Module(package))
            module.begin = min(module.begin, float(begin))
            module.end = max(module.end, float(end))
            module.processor += float(processor)
    return modules


def read_imports(path):
    """Of each Swift module the names of the Swift modules that it is compiled after."""
    imports = {}
    inputs = []
    with open(path) as file:
        for line in file:
            key, _, value = line.strip().partition(": ")
            if key == "inputs":
                inputs = json.loads(value)
            elif key == "outputs":
                made = swift_modules(json.loads(value))
                for name in made:
                    imports.setdefault(name, set()).update(swift_modules(inputs) - made)
    return imports


def swift_modules(files):
    return {match.group(1) for name in files if (match := re.search(r"/([^/]+)\.swiftmodule$", name))}


def waiting(modules, imports):
    """Of each module the names of those that could begin when it ended, and not before."""
    waited = defaultdict(list)
    for name in modules:
        ready = [other for other in imports.get(name, ()) if other in modules]
        if ready:
            waited[max(ready, key=lambda other: modules[other].end)].append(name)
    return waited


def sums(modules, key):
    """Processor time by a property of the modules, the most first."""
    sums = defaultdict(float)
    for name, module in modules.items():
        sums[key(name, module)] += module.processor
    return sorted(sums.items(), key=lambda entry: -entry[1])


def main():
    modules = read_times(sys.argv[1])
    waited = waiting(modules, read_imports(sys.argv[2]))
    first = min(module.begin for module in modules.values())
    last = max(module.end for module in modules.values())
    all_processor = sum(module.processor for module in modules.values())
    print(f"{all_processor:.0f} s of processor time in {last - first:.0f} s")
    print("\nbegan  ended  processor  module, and what waited for it")
    for name, module in sorted(modules.items(), key=lambda entry: entry[1].begin):
        line = f"{module.begin - first:5.0f}  {module.end - first:5.0f}  {module.processor:7.1f} s  {name}"
        others = ", ".join(sorted(waited[name]))
        print(f"{line} < {others}" if others else line)
    print("\nprocessor time by package")
    for name, seconds in sums(modules, lambda _, module: module.package):
        print(f"{seconds:6.1f} s {100 * seconds / all_processor:3.0f} %  {name}")


main()
