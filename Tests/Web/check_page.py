#!/usr/bin/env python3
"""Watches the page of a run in Chromium, and checks that its text and its canvases say what happens.

  Tests/Web/check_page.py URL [--joined NAME]… [--gone NAME]… [--ended] [--seconds S] [--screenshot FILE]

Exit status: 0 the page said all of it; 1 it did not; 77 there is no browser here.
"""

import argparse
import sys

from browser import Browser, missing


def rows(browser):
    """The rows of the table of systems: name and state."""
    return dict(browser.run("""
        return [...document.querySelectorAll("#systems tbody tr")].map((row) => [
          row.querySelector(".name span").textContent,
          `${row.dataset.state}: ${row.querySelector(".state").textContent}`]);"""))


def shows_live(browser, seconds=60):
    # A page that leads to another one has no such mark.
    browser.wait("a live connection", lambda: browser.run(
        "return document.getElementById('connection')?.dataset.state === 'live'"), seconds)


def shows_joined(browser, name, seconds=60, while_watched=True):
    """A system is there. The time line marks only those that joined while the page was open."""
    browser.wait(f"{name} in the table of systems",
                 lambda: not rows(browser).get(name, "gone").startswith("gone"), seconds)
    browser.wait(f"a line that {name} is connected",
                 lambda: f"connected {name}" in browser.text("log"), seconds)
    if while_watched:
        browser.wait(f"{name} in the time line's label",
                     lambda: f"{name} joined" in browser.label("timeline"), seconds)
    shows_color(browser, name, seconds)


def shows_color(browser, name, seconds=60):
    """Sectors and attempts have the colour of the system."""
    def row():
        return browser.run("return page.model.systems.findIndex((system) => system.name === arguments[0])", name)
    for canvas in ("sky", "timeline"):
        browser.wait(f"the colour of {name} in the canvas {canvas}",
                     lambda: browser.colors(canvas)[row() % 6] > 20, seconds)


def shows_gone(browser, name, seconds=60):
    browser.wait(f"{name} is gone in the table",
                 lambda: rows(browser).get(name, "").startswith("gone"), seconds)
    browser.wait(f"a line that {name} is gone",
                 lambda: f"disconnected {name}" in browser.text("log"), seconds)
    browser.wait(f"{name} was gone in the time line's label",
                 lambda: f"{name} was gone" in browser.label("timeline"), seconds)


def shows_end(browser, seconds=120):
    browser.wait("the end of the run", lambda: browser.run("return page.model?.end ?? null"), seconds)
    browser.wait("the page of a run that has ended", lambda: browser.run(
        "return document.body.dataset.state === (page.model.end === 'done' && page.model.failed === 0 ? 'ended' : 'failed')"),
        seconds)
    browser.wait("all sectors in the figures", lambda: browser.run(
        "return page.model.completed + page.model.failed === page.model.sectors"), seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url")
    parser.add_argument("--joined", action="append", default=[], metavar="NAME")
    parser.add_argument("--gone", action="append", default=[], metavar="NAME")
    parser.add_argument("--ended", action="store_true", help="wait for the run's end")
    parser.add_argument("--seconds", type=float, default=60, help="how long to wait for each")
    parser.add_argument("--screenshot", metavar="FILE")
    options = parser.parse_args()
    if missing():
        print(f"skipped: {missing()}")
        return 77
    with Browser(1360, 1100) as browser:
        browser.open(options.url)
        try:
            shows_live(browser, options.seconds)
            if "token" in browser.driver.current_url:
                raise AssertionError(f"the token is in the address bar: {browser.driver.current_url}")
            browser.driver.refresh()
            shows_live(browser, options.seconds)
            print("open", flush=True)
            for name in options.joined:
                shows_joined(browser, name, options.seconds)
                print(f"joined: {name}", flush=True)
            for name in options.gone:
                shows_gone(browser, name, options.seconds)
                print(f"gone: {name}", flush=True)
            if options.ended:
                shows_end(browser, options.seconds)
                print(f"ended: {browser.text('completed')}")
            if errors := browser.errors():
                raise AssertionError("the browser complained: " + "; ".join(errors))
        except AssertionError as error:
            print(error, file=sys.stderr)
            return 1
        finally:
            if options.screenshot:
                browser.screenshot(options.screenshot)
    return 0


if __name__ == "__main__":
    sys.exit(main())
