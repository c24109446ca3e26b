#!/usr/bin/env python3
"""Counts every piece of work, and compares the figures with those of the ledger.

    instructions.py LEDGER SKYNET PIECES [--write WHY] [--row NAME] [WORD...]

With words, only figures whose names have one of them are counted. Exit status: 0; 1 if a figure has grown.
"""
import argparse
import concurrent.futures
import json
import os
import platform
import re
import subprocess
import sys

import ledger
from valgrind import Failed
from work import all_work


def main():
    parser = argparse.ArgumentParser()
    for name in ("ledger", "skynet", "pieces"):
        parser.add_argument(name)
    parser.add_argument("--write", metavar="WHY")
    parser.add_argument("--row", metavar="NAME")
    parser.add_argument("words", nargs="*")
    given = parser.parse_intermixed_args()
    works = [work for work in all_work(given.skynet, given.pieces)
             if not given.words or any(word in name for word in given.words for name in work.figures)]
    if not works:
        sys.exit(f"no figure has a name with one of: {' '.join(given.words)}")
    now = count(works, is_lenient=given.row is not None)
    if given.row is not None:
        return print_row(given.row, works, now)
    before_versions, before = ledger.load(given.ledger) if os.path.exists(given.ledger) else ({}, {})
    versions = versions_in_use()
    for work in works:
        for name in work.figures:
            print(line(name, now[name], before.get(name)))
    print()
    others = [f"{name} {versions.get(name, 'none')} (the ledger's: {before_versions.get(name, 'none')})"
              for name in sorted({*versions, *before_versions}) if versions.get(name) != before_versions.get(name)]
    if given.write is not None:
        why = " ".join(given.write.split())
        if not why:
            sys.exit("--write needs the reason")
        if others and given.words:
            sys.exit(f"all figures have to be written, as these versions are others: {', '.join(others)}")
        changed = ledger.update(before, now, works, why, is_new=bool(others))
        ledger.save(given.ledger, versions, before)
        return print(f"written: {'; '.join(changed) or 'nothing'}")
    if others:
        return print(f"nothing is judged, as these versions are others: {', '.join(others)}")
    sys.exit(judge(works, now, before))


def count(works, is_lenient):
    """Does all works, as many at a time as there are processors. A lenient count leaves out what cannot be done."""
    figures = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = {pool.submit(work.count): work for work in works}
        for done in concurrent.futures.as_completed(counts):
            names = counts[done].figures
            try:
                figures.update(zip(names, done.result()))
                print(f"counted: {', '.join(names)}", file=sys.stderr)
            except Failed as failure:
                if not is_lenient:
                    pool.shutdown(cancel_futures=True)
                    sys.exit(str(failure))
                print(f"left out: {', '.join(names)}: {failure}", file=sys.stderr)
    return figures


def line(name, now, before):
    cells = []
    for measure, form in (("instructions", ",.0f"), ("allocations", ",.1f"), ("peak", ",.0f")):
        value = getattr(now, measure)
        change = "     new" if before is None else f"{100 * ledger.growth(now, before, measure):+7.1f}%"
        cells.append(f"{value:>{15 if measure == 'instructions' else 11}{form}} {change}")
    return f"{name:34}" + " ".join(cells)


def judge(works, now, before):
    """Tells what has grown and what has fallen. Returns the exit status."""
    status = 0
    for work in works:
        for name in work.figures:
            if name not in before:
                status = 1
                print(f"{name} is not in the ledger: write it there")
                continue
            for measure, most in work.allowed.items():
                growth = ledger.growth(now[name], before[name], measure)
                if growth > most:
                    status = 1
                    print(f"grown: {name}: {measure} by {100 * growth:.1f}%, where {100 * most:.0f}% is allowed")
                    if measure == "instructions":
                        function, more = now[name].grown_most(before[name])
                        print(f"    most in {demangled(function)}: {more:+,.0f} of its own")
                elif growth < -most:
                    print(f"fallen: {name}: {measure} by {-100 * growth:.1f}%: write it, lest it creep up again")
    print("something has grown: mend it, or pay for it: Benchmarks/run instructions --write WHY" if status
          else "nothing has grown")
    return status


def demangled(function):
    if not function.startswith("$s"):
        return function
    try:
        run = subprocess.run(["swift", "demangle", "--simplified", "--compact", function],
                             capture_output=True, text=True)
    except FileNotFoundError:
        return function
    return run.stdout.strip() or function


def print_row(row, works, now):
    """Prints a row of a table in Markdown, of instructions in thousands; the header stands on standard error."""
    names = [name for work in works for name in work.figures]
    print(f"| commit | {' | '.join(names)} |", file=sys.stderr)
    cells = [f"{now[name].instructions / 1000:,.{1 if now[name].instructions < 1e6 else 0}f}" if name in now else ""
             for name in names]
    print(f"| {row} | {' | '.join(cells)} |")


def versions_in_use():
    """What the figures depend on beside the code: the compiler, the packages, the C libraries, and valgrind."""
    def first(pattern, *command):
        try:
            found = re.search(pattern, subprocess.run(command, capture_output=True, text=True).stdout)
        except FileNotFoundError:
            found = None
        return found[1] if found else "unknown"

    # Libraries choose their code by what the processor has.
    with open("/proc/cpuinfo") as file:
        has_avx2 = " avx2 " in file.read()
    versions = {
        "swift": first(r"version (\S+)", "swift", "--version"),
        "valgrind": first(r"valgrind-(\S+)", "valgrind", "--version"),
        "sqlite3": first(r"(\S+)", "pkg-config", "--modversion", "sqlite3"),
        "glibc": platform.libc_ver()[1],
        "processor": platform.machine() + (" with AVX2" if has_avx2 else ""),
    }
    if os.path.exists("Package.resolved"):
        with open("Package.resolved") as file:
            versions.update({pin["identity"]: pin["state"]["version"] for pin in json.load(file)["pins"]})
    return versions


if __name__ == "__main__":
    main()
