#!/usr/bin/env python3
"""Prints where the time of tests goes that ran one after the other, from Swift Testing's stream of events.

    times.py EVENTS

EVENTS has a line of JSON for each event.
"""
import json
import sys
from collections import defaultdict

SHOWN = 25


def durations(path):
    """Seconds by the identifier of a test: `Target.Suite/test()/File.swift:1:2`."""
    begun, seconds, tests = {}, {}, set()
    with open(path) as file:
        for line in file:
            record = json.loads(line)
            payload = record["payload"]
            if record["kind"] == "test":
                if payload["kind"] == "function":
                    tests.add(payload["id"])
            elif payload["kind"] == "testStarted":
                begun[payload["testID"]] = payload["instant"]["absolute"]
            elif payload["kind"] == "testEnded" and payload["testID"] in tests:
                seconds[payload["testID"]] = payload["instant"]["absolute"] - begun[payload["testID"]]
    return seconds


def show(title, seconds, name):
    """Prints the sums of the tests that have one name, the largest first."""
    sums, counts = defaultdict(float), defaultdict(int)
    for test, taken in seconds.items():
        sums[name(test)] += taken
        counts[name(test)] += 1
    print(f"\n{title}")
    for each, total in sorted(sums.items(), key=lambda entry: -entry[1])[:SHOWN]:
        print(f"{total:8.1f} s  {each}" + (f"  ({counts[each]} tests)" if counts[each] > 1 else ""))


def main():
    seconds = durations(sys.argv[1])
    show("by target", seconds, lambda test: test.split(".")[0])
    show("the slowest suites", seconds, lambda test: test.split("/")[0])
    show("the slowest tests", seconds, lambda test: test.rsplit("/", 1)[0])
    print(f"\n{len(seconds)} tests, {sum(seconds.values()):.0f} s")


main()
