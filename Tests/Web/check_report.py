#!/usr/bin/env python3
"""Opens a report that `skynet report` made in Chromium, and checks that it shows the run at any moment.

  Tests/Web/check_report.py FILE --completed N --sectors N [--gone NAME]… [--screenshot FILE]

Exit status: 0 it does; 1 it does not; 77 there is no browser here.
"""

import argparse
import pathlib
import sys

from browser import Browser, missing
from check_page import rows


def completed(browser):
    """How many sectors the figures say are done."""
    return int(browser.text("completed").split(" ")[0].replace(",", "") or "0")


def move(browser, part):
    """Moves the slider to a part of the run."""
    browser.run("""
        const slider = document.getElementById("slider");
        slider.value = Number(slider.min) + arguments[0] * (Number(slider.max) - Number(slider.min));
        slider.dispatchEvent(new Event("input", { bubbles: true }));""", part)


def check(browser, options):
    browser.wait("the figures at the end", lambda: browser.text("completed") ==
                 f"{options.completed:,} of {options.sectors:,}")
    for name in options.gone:
        browser.wait(f"{name} is gone in the table",
                     lambda: rows(browser).get(name, "").startswith("gone"))
    move(browser, 0)
    browser.wait("nothing done at the beginning", lambda: completed(browser) == 0)
    move(browser, 0.5)
    browser.wait("something done in the middle", lambda: 0 < completed(browser) <= options.completed)
    for name in options.gone:
        # Who had gone by the end was there before.
        if name not in rows(browser):
            raise AssertionError(f"{name} is not in the table in the middle of the run")
    # The policy let all scripts and styles in, and nothing was asked for.
    if errors := browser.errors():
        raise AssertionError("the browser complained: " + "; ".join(errors))
    asked = browser.run("return performance.getEntriesByType('resource').map((entry) => entry.name)")
    if asked := [name for name in asked if not name.startswith(("data:", "blob:"))]:
        raise AssertionError("the page asked for " + ", ".join(asked))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--completed", type=int, required=True)
    parser.add_argument("--sectors", type=int, required=True)
    parser.add_argument("--gone", action="append", default=[], metavar="NAME")
    parser.add_argument("--screenshot", metavar="FILE")
    options = parser.parse_args()
    if missing():
        print(f"skipped: {missing()}")
        return 77
    with Browser(1360, 1500) as browser:
        browser.open(options.file.resolve().as_uri())
        try:
            check(browser, options)
        except AssertionError as error:
            print(error, file=sys.stderr)
            return 1
        finally:
            if options.screenshot:
                browser.screenshot(options.screenshot)
    print("the report shows the run")
    return 0


if __name__ == "__main__":
    sys.exit(main())
