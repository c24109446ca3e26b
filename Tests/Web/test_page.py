#!/usr/bin/env python3
"""The page in a real Chromium, with runs that are only played.

  Tests/Web/test_page.py [-v] [TEST…]        as unittest has it, such as RunTests.test_keyboard

With SKYNET_THOROUGH=1 the time of frames is judged, else only printed.
"""

import importlib.util
import os
import unittest

from browser import Browser, missing, needs_browser, percentile
from check_page import rows, shows_end, shows_gone, shows_joined
from mock_server import Scene, Server
from report_page import PAGE

MEGABYTE = 1_000_000
# The run's retried attempts, and those of its systems together.
RETRIED = "[page.model.retried, page.model.systems.reduce((sum, system) => sum + system.retried, 0)]"


def axe_missing():
    return importlib.util.find_spec("axe_selenium_python") is None


def served(kind, **options):
    return Server(kind, **options).start()


class PageCase(unittest.TestCase):
    kind, speed, size, look = "run", 3.0, (1280, 900), {}

    def setUp(self):
        self.server = served(self.kind, speed=self.speed)
        self.addCleanup(self.server.stop)
        self.browser = Browser(*self.size, **self.look)
        self.addCleanup(self.browser.driver.quit)
        self.browser.open(self.server.address)
        self.browser.wait("the page's model", lambda: self.browser.run(
            "return page.model != null && (page.model.field !== null || page.model.systems.length > 0)"))
        self.browser.wait("the page's first indicators", lambda: self.browser.text("software").startswith("SkyNet "))

    def value(self, expression):
        return self.browser.run(f"return {expression}")


@needs_browser
class RunTests(PageCase):
    """A run whose node b dies and whose node c joins."""

    def test_text_and_canvas_say_that_a_node_died_and_another_joined(self):
        # c's name has a character that would turn the reading direction, and one of HTML.
        shows_joined(self.browser, "a", while_watched=False)
        shows_joined(self.browser, "c\\u{202e}<b>")
        shows_gone(self.browser, "b")
        self.assertIn("the connection was cut", rows(self.browser)["b"])
        shows_end(self.browser)
        self.assertEqual(self.browser.text("completed"), "198 of 200")
        self.assertEqual(self.browser.text("failed"), "2")
        self.assertEqual(self.browser.text("connection-text"), "ended: done")
        self.assertEqual(self.browser.errors(), [])

    def test_a_retried_attempt_is_no_failure(self):
        self.browser.wait("a retried attempt", lambda: "re-run" in self.browser.text("log"))
        lines = self.value("[...document.querySelectorAll('#log .fault')].map((line) => line.textContent)")
        self.assertEqual([line for line in lines if "re-run" in line], [])
        self.assertEqual(*self.value(RETRIED))
        self.assertGreater(self.value("page.model.retried"), 0)
        heads = self.value("[...document.querySelectorAll('#systems th')].map((head) => head.textContent)")
        self.assertIn("Retried", heads)
        self.assertNotIn("Failed", heads)

    def test_first_glance_needs_no_scrolling(self):
        browser = self.browser
        browser.command("Emulation.setDeviceMetricsOverride", width=1280, height=800, deviceScaleFactor=1, mobile=False)
        browser.wait("a failed sector", lambda: "Sector 17 failed" in browser.text("failures"))
        browser.wait("all parts in sight", lambda: self.value("document.scrollingElement.scrollHeight") <= 800)
        places = self.value("""["indicators", "curve-section", "sky-section", "systems-section", "timeline-section",
            "failures-section", "log-section"].map((id) => {
              const { left, top, right, bottom } = byID(id).getBoundingClientRect();
              return [left, top, right, bottom];
            })""")
        for left, top, right, bottom in places:
            self.assertGreater(bottom - top, 50)
            self.assertGreaterEqual(left, 0)
            self.assertLessEqual(right, 1280)
            self.assertLessEqual(bottom, 800)
        # No part lies over another.
        for number, (left, top, right, bottom) in enumerate(places):
            for other in places[number + 1:]:
                self.assertFalse(left < other[2] and other[0] < right and top < other[3] and other[1] < bottom)
        self.assertRegex(browser.text("share"), r"^\d+(\.\d)? %$")
        self.assertGreater(self.value("parseFloat(getComputedStyle(byID('share')).fontSize)"), 36)

    def test_curve_is_of_the_whole_run(self):
        browser = self.browser
        browser.wait("the marks", lambda: self.value(
            "page.model.history.marks.filter(({ kind }) => kind === 'died').length === 1 && page.model.now > 15"))
        self.value("page.label()")
        self.assertRegex(self.value("byID('curve').getAttribute('aria-label')"),
                         r"^Tasks per second over \d+ s: at most .* busy slots; 4 joined; 1 died; \d+ tried again$")
        colors = [shade for shade in self.value("page.curve.stack.map(({ row }) => row)")]
        self.assertEqual(colors, [0, 1, 2, 3])
        x, y = browser.middle("curve")
        browser.mouse("mouseMoved", x, y)
        browser.wait("what is under the pointer", lambda: "a second (" in browser.text("curve-under-pointer"))
        # As many tasks as the systems say that they did.
        both = self.value("""(() => {
            let told = 0;
            for (const counts of page.model.history.done.values()) told += counts.reduce((sum, number) => sum + number, 0);
            return [told, page.model.systems.reduce((sum, { tasks }) => sum + tasks, 0)];
        })()""")
        self.assertLessEqual(abs(both[0] - both[1]), 12)

    def test_page_that_is_opened_late_shows_the_run_from_its_beginning(self):
        browser = self.browser
        shows_gone(browser, "b")
        before = self.value("page.model.now")
        browser.open(self.server.address)
        browser.wait("the run again", lambda: self.value("page?.model?.history?.count > 0"))
        browser.wait("b's end in the time line", lambda: "b was gone at 12 s" in browser.label("timeline"))
        self.assertIn("a joined at 0.3 s", browser.label("timeline"))
        early = self.value("""[1, 3, 5, 7, 9].map((at) => {
            const { history } = page.model;
            let rate = 0;
            for (const counts of history.done.values()) rate += history.rate(counts, at, at + 2);
            return rate;
        })""")
        # Neither stripes nor spikes: 11 slots that take a second each.
        for rate in early:
            self.assertGreater(rate, 2)
            self.assertLess(rate, 20)
        self.assertGreater(self.value("page.model.history.retried.reduce((sum, number) => sum + number)"), 5)
        self.assertGreaterEqual(self.value("page.model.now"), before)

    def test_state_is_live_then_failed_and_nothing_says_live(self):
        browser = self.browser
        self.assertEqual(self.value("document.body.dataset.state"), "live")
        shows_end(browser)
        # Two sectors were given up.
        self.assertEqual(self.value("document.body.dataset.state"), "failed")
        browser.wait("what is slow", lambda: "was the slowest" in browser.text("ended-slow"))
        self.assertEqual(browser.text("ended-title"), "✗ Done, with failures")
        self.assertIn("b died at 12 s", browser.text("ended-slow"))
        self.assertNotRegex(self.value("document.body.innerText"), r"(?i)\blive\b|time left|pass \d of")
        length = self.value("page.model.now")
        browser.open(self.server.address)
        browser.wait("the ended page after a reload", lambda: self.value("document.body.dataset.state === 'failed'"))
        browser.wait("how long it took", lambda: abs(self.value("page.model.now") - length) < 0.6)
        browser.wait("the summary", lambda: browser.text("ended-summary").startswith("198 of 200 sectors in 21."))
        self.assertEqual(browser.errors(), [])

    def test_report_is_saved_by_a_click(self):
        browser = self.browser
        shows_end(browser)
        browser.run("""
            window.saved = [];
            HTMLAnchorElement.prototype.click = function () { saved.push([this.download, this.href.slice(0, 5)]); };""")
        browser.wait("the button", lambda: "Save as night.html" in browser.text("ended-files"))
        browser.run("document.querySelector('#ended-files button').click()")
        browser.wait("that it is saved", lambda: "saved as night.html" in browser.text("ended-files"), 20)
        self.assertEqual(self.value("saved"), [["night.html", "blob:"]])
        # Late news changes what was slow, and leaves the files.
        self.value("(page.model.history.version += 1, page.ended.draw(page.model))")
        self.assertIn("saved as night.html", browser.text("ended-files"))
        self.assertIn("results", self.value("document.querySelector('#ended-files a').href"))
        shown = self.value("""(() => {
            const { began, run } = page.model;
            page.hear("state", { time: began, began, name: "x", run, end: "done", sectors: 200, sectorsPerCell: 1, systems: [],
              files: [{ kind: "catalog", name: "elsewhere", url: "https://example.org/x" }] });
            page.ended.draw(page.model);
            return byID("ended-files").textContent;
        })()""")
        self.assertEqual(shown, "", "a link to elsewhere")

    def test_heads_sort(self):
        browser = self.browser
        shows_joined(browser, "c\\u{202e}<b>")
        head = "document.querySelector('#systems [data-sort=done]')"
        browser.run(f"{head}.click()")
        done = "[...page.systems.body.children].map((line) => Number(line.querySelectorAll('.number')[1].textContent))"
        browser.wait("the most first", lambda: self.value(done) == sorted(self.value(done), reverse=True))
        self.assertEqual(self.value(f"{head}.closest('th').getAttribute('aria-sort')"), "descending")
        browser.run("document.querySelector('#systems [data-sort=name]').click()")
        browser.wait("by name", lambda: list(rows(browser)) == ["a", "b", "c\\u{202e}<b>", "local"])
        self.assertEqual(self.value(f"{head}.closest('th').getAttribute('aria-sort')"), "none")

    def test_system_has_a_view_of_its_own(self):
        browser = self.browser
        shows_joined(browser, "a", while_watched=False)
        browser.run("[...document.querySelectorAll('.plain-button')].find((b) => b.textContent === 'b').click()")
        browser.wait("what it scans", lambda: "Scans now" in browser.text("system-lists"))
        self.assertEqual(self.value("document.activeElement.id"), "system-title")
        facts = browser.text("system-facts")
        for word in ("Host b.example.org", "Cores 8", "Memory 3.4 GB of 16.0 GB", "Version 0.1.0"):
            self.assertIn(word, facts)
        browser.wait("its attempts", lambda: "Latest attempts" in browser.text("system-lists"))
        sector = int(self.value("document.querySelector('#system-lists button').textContent").split()[1])
        browser.run("document.querySelector('#system-lists button').click()")
        self.assertGreaterEqual(self.value("page.sky.selected"), 0)
        browser.wait("the sector's story", lambda: self.value("!byID('details-card').hidden"))
        browser.run("byID('system-title').focus()")
        browser.key("Escape")
        self.assertTrue(self.value("byID('system-section').hidden && !byID('systems-section').hidden"))
        self.assertGreaterEqual(sector, 0)

    def test_numbers_do_not_collide_and_a_share_is_at_most_all(self):
        browser = self.browser
        browser.wait("results", lambda: self.value("page.model.completed") > 20)
        browser.run("""
            page.hear("state", { time: page.model.began + 9, began: page.model.began, name: "x", end: null, sectors: 200,
              sectorsPerCell: 1, systems: [{ row: 0, name: "local", address: "", version: "", state: "present", note: "",
                slots: 4, inFlight: 4, completed: 169623, tasks: 169623, retried: 51234, rate: 12345, latency: 0.01,
                history: [] }] });
            const model = page.model;
            const parts = page.systems.parts(model);
            // News between the frames of one drawing.
            model.systems[0].tasks *= 1.2;
            for (const part of parts) part();""")
        shares = self.value("[...document.querySelectorAll('#systems td:nth-child(7)')].map((cell) => parseInt(cell.textContent) || 0)")
        self.assertLessEqual(max(shares), 100)
        wide = self.value("""[...document.querySelectorAll("#systems tbody tr:first-child .number")]
            .filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent)""")
        self.assertEqual(wide, [])

    def test_token_is_masked_in_notices(self):
        self.browser.run("""page.hear("notices", { notices: [{ number: 99999, time: 1, fault: false,
            text: "page: http://h:1/?token=4be2aa#x" }], lost: 0 })""")
        self.browser.wait("the notice", lambda: "?token=…#x" in self.browser.text("log"))
        self.assertNotIn("4be2aa", self.value("document.body.innerHTML"))

    def test_failed_sector_tells_its_reason_and_how_to_replay_it(self):
        browser = self.browser
        browser.wait("the failed sector 17", lambda: "Sector 17 failed" in browser.text("failures"))
        said = browser.run("[...document.querySelectorAll('#failures button')]"
                           ".find((button) => button.textContent.startsWith('Sector 17 ')).click();"
                           "return byID('announcer').textContent")
        self.assertEqual(said, "sector 17: failed")
        browser.wait("its details", lambda: "simulated failure (" in browser.text("details"))
        self.assertIn("skynet replay 'night of may.sqlite' --sector 17", browser.text("details"))

    def test_keyboard(self):
        browser = self.browser
        browser.key("Tab")
        self.assertEqual(self.value("document.activeElement.className"), "skip")
        seen = []
        for _ in range(12):
            browser.key("Tab")
            seen.append(self.value("document.activeElement.id"))
            if seen[-1] == "sky":
                break
        self.assertEqual(seen[-4:], ["zoom-in", "zoom-out", "zoom-all", "sky"])
        whole = self.value("page.sky.view.scale")
        browser.key("+")
        browser.key("+")
        self.assertGreater(self.value("page.sky.view.scale"), 2 * whole)
        left = self.value("page.sky.view.x")
        browser.key("ArrowRight")
        self.assertGreater(self.value("page.sky.view.x"), left)
        browser.key("-")
        self.assertLess(self.value("page.sky.view.scale"), 2 * whole)
        browser.key("0")
        self.assertAlmostEqual(self.value("page.sky.view.scale"), whole, 6)
        browser.key("ArrowRight", shift=True)
        first = self.value("page.sky.selected")
        browser.key("ArrowRight", shift=True)
        self.assertEqual(self.value("page.sky.selected"), first + 1)
        self.assertTrue(browser.text("announcer").startswith(f"sector {first + 1}: "))
        browser.wait("its details", lambda: f"Sector {first + 1}" in browser.text("details"))
        browser.wait("a failed sector", lambda: "Sector 17 failed" in browser.text("failures"))
        browser.key("f")
        self.assertEqual(self.value("page.sky.selected"), 17)
        browser.key("Escape")
        self.assertEqual(self.value("page.sky.selected"), -1)
        self.assertEqual(browser.text("details"), "")

    def test_wheel_drag_and_click(self):
        browser = self.browser
        x, y = browser.middle("sky")
        whole = self.value("page.sky.view.scale")
        browser.mouse("mouseWheel", x, y, deltaX=0, deltaY=-240)
        browser.wait("a larger scale", lambda: self.value("page.sky.view.scale") > 1.3 * whole)
        before = self.value("[page.sky.view.x, page.sky.view.y]")
        browser.mouse("mousePressed", x, y, button="left", clickCount=1)
        for step in range(1, 5):
            browser.mouse("mouseMoved", x - 10 * step, y - 5 * step, button="left")
        browser.mouse("mouseReleased", x - 40, y - 20, button="left", clickCount=1)
        after = self.value("[page.sky.view.x, page.sky.view.y]")
        self.assertGreater(after[0], before[0])
        self.assertGreater(after[1], before[1])
        self.assertEqual(self.value("page.sky.selected"), -1)
        browser.mouse("mousePressed", x, y, button="left", clickCount=1)
        browser.mouse("mouseReleased", x, y, button="left", clickCount=1)
        browser.wait("a selected sector", lambda: self.value("page.sky.selected") >= 0)

    def test_two_fingers_zoom_and_move(self):
        browser = self.browser
        browser.command("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=2)
        x, y = browser.middle("sky")
        whole = self.value("page.sky.view.scale")
        browser.fingers("touchStart", (x - 40, y), (x + 40, y))
        for step in range(1, 9):
            browser.fingers("touchMove", (x - 40 - 10 * step, y), (x + 40 + 10 * step, y))
        # 80 pixels apart at first, 240 at last.
        browser.wait("three times the scale", lambda: abs(self.value("page.sky.view.scale") / whole - 3) < 0.2)
        before = self.value("[page.sky.view.x, page.sky.view.y]")
        for step in range(1, 5):
            browser.fingers("touchMove", (x - 120 - 10 * step, y - 5 * step), (x + 120 - 10 * step, y - 5 * step))
        browser.wait("another place", lambda: self.value("page.sky.view.x") > before[0]
                     and self.value("page.sky.view.y") > before[1])
        self.assertLess(abs(self.value("page.sky.view.scale") / whole - 3), 0.2)
        browser.fingers("touchEnd")
        self.assertEqual(self.value("page.sky.selected"), -1)
        self.assertEqual(browser.errors(), [])

    def test_everything_has_a_role_and_a_name(self):
        self.browser.wait("two systems", lambda: len(rows(self.browser)) >= 2)
        self.browser.wait("the curve", lambda: not self.value("byID('curve-section').hidden"))
        self.browser.wait("notices", lambda: not self.value("byID('log-section').hidden"))
        nodes = self.browser.nodes()
        named = {"button", "checkbox", "combobox", "slider", "progressbar", "table", "image", "img", "link",
                 "application", "region", "heading", "columnheader", "rowheader", "listbox"}
        nameless = [role for role, name in nodes if role in named and not name.strip()]
        self.assertEqual(nameless, [])
        roles = [role for role, _ in nodes]
        self.assertEqual(roles.count("main"), 1)
        self.assertEqual(roles.count("banner"), 1)
        self.assertIn("status", roles)
        names = {name for role, name in nodes if role == "region"}
        self.assertLessEqual({"Indicators", "Tasks per second", "Sectors", "Systems", "Time line", "Notices"}, names)
        columns = [name for role, name in nodes if role == "columnheader"]
        self.assertEqual(columns[:4], ["System", "Slots", "Tasks/s", "Minute"])
        self.assertIn(("rowheader", "a"), nodes)
        sky = next(name for role, name in nodes if role == "application")
        self.assertRegex(sky, r"^200 sectors: \d+ completed")
        # Screen readers skip levels of headings badly.
        self.assertEqual(self.value("document.querySelectorAll('h1').length"), 1)

    def test_live_region_says_one_sentence_in_five_seconds(self):
        self.browser.run("""
            window.said = [];
            new MutationObserver(() => said.push([performance.now(), byID("announcer").textContent]))
              .observe(byID("announcer"), { childList: true, characterData: true, subtree: true });""")
        shows_end(self.browser)
        said = self.value("said")
        self.assertGreaterEqual(len(said), 1)
        for (before, _), (after, _) in zip(said, said[1:]):
            self.assertGreater(after - before, 4900)
        live = self.value(
            "[...document.querySelectorAll('[aria-live], [role=log], [role=alert], [role=status]')].map((e) => e.id)")
        self.assertEqual(live, ["announcer"])

    def test_lost_connection_is_said_and_mended(self):
        browser, server = self.browser, self.server
        shows_joined(browser, "a", while_watched=False)
        port = server.server_address[1]
        server.stop()
        browser.wait("that the connection is lost",
                     lambda: "connection lost, trying again; what is shown is of" in browser.text("connection-text"))
        self.assertTrue(self.value("document.body.classList.contains('old')"))
        again = Server("run", port=port, scene=server.scene).start()
        self.addCleanup(again.stop)
        # On a busy machine the new connection may fall silent for a moment too.
        browser.wait("that it is live again", lambda: browser.text("connection-text") in ("live", "ended: done")
                     and not self.value("document.body.classList.contains('old')"))
        shows_joined(browser, "a", while_watched=False)

    def test_faults_only(self):
        self.browser.wait("a fault", lambda: "gave up" in self.browser.text("log"))
        self.assertIn("re-run", self.browser.text("log"))
        self.assertIn("connected a", self.browser.text("log"))
        self.browser.run("byID('faults-only').click()")
        self.browser.wait("no joins", lambda: "connected a" not in self.browser.text("log"))
        self.assertNotIn("re-run", self.browser.text("log"))
        self.assertIn("gave up", self.browser.text("log"))


@needs_browser
class ImageTests(PageCase):
    kind, look = "image", {"dark": True}

    def test_picture_passes_and_sources(self):
        browser = self.browser
        browser.wait("sources", lambda: self.value("page.model.points.count") > 50)
        browser.wait("the picture", lambda: self.value("page.sky.picture?.width") == 512)
        # The first pass too tells how far it is, though no sector is done yet.
        browser.wait("the second pass", lambda: browser.text("pass")[:7] in ("pass 2 ", "pass 3 "))
        self.assertRegex(browser.text("pass"), r"^pass \d of 3, \w+: [1-9]\d* of 64$")
        yellow = browser.wait("rings at the sources", lambda: browser.run("""
            const canvas = byID("marks");
            const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            let count = 0;
            for (let at = 0; at < data.length; at += 4) {
              if (data[at] > 180 && data[at + 1] > 170 && data[at + 2] < 120 && data[at + 3] > 100) count += 1;
            }
            return count;"""))
        self.assertGreater(yellow, 100)
        # Row 0 is the lowest.
        self.assertEqual(self.value("page.sky.cellAt(page.sky.view.width / 2 + 1, page.sky.view.height - 3)"), 4)
        self.assertEqual(browser.errors(), [])


@needs_browser
class NightTests(PageCase):
    """A run over images that come to be known one after the other."""

    kind = "night"

    def test_cells_stay_where_they_are_as_the_run_grows(self):
        browser = self.browser
        browser.wait("some results", lambda: self.value("page.model.completed") > 10)
        first = self.value("""(() => {
            const { layout, view } = page.sky;
            return { columns: layout.columns, sectors: page.model.sectors, done: page.model.field.completed[0] };
        })()""")
        browser.run("page.controls.zoom(3); page.choose(5)")
        scale = self.value("page.sky.view.scale")
        browser.wait("more sectors", lambda: self.value("page.model.sectors") > first["sectors"] + 20)
        self.assertEqual(first["done"], 1)
        self.assertEqual(self.value("page.model.field.completed[0]"), 1)
        self.assertEqual(self.value("page.sky.layout.columns"), first["columns"])
        self.assertEqual(self.value("page.sky.view.scale"), scale)
        self.assertEqual(self.value("page.sky.selected"), 5)
        self.assertLess(self.value("page.model.generation"), 6)
        browser.wait("its image", lambda: "night <b>/frame-002.fits" in browser.text("details"))
        shows_end(browser)
        self.assertEqual(self.value("page.model.field.completed.reduce((sum, count) => sum + count)"), 119)
        self.assertEqual(browser.errors(), [])

    def test_progress_is_by_image_and_names_those_that_are_scanned(self):
        browser = self.browser
        browser.wait("done images", lambda: self.value("page.model.parts?.done") > 3)
        self.assertRegex(browser.text("completed"), r"^\d+ of 60 images$")
        self.assertEqual(self.value("byID('progress').max"), 60)
        self.assertEqual(self.value("byID('progress').getAttribute('aria-label')"), "Completed images")
        # The end of a long name is what tells most.
        self.assertRegex(browser.text("pass"), r"^scanning …\S+ <b>/frame-\d+\.fits and ")
        self.assertRegex(browser.label("sky"), r"^\d+ sectors of 60 images: \d+ completed")
        browser.wait("the failed sector", lambda: "Sector 17 of /survey/" in browser.text("failures"))
        self.assertIn("frame-008.fits failed after 5 attempts", browser.text("failures"))
        shows_end(browser)
        self.assertEqual(browser.text("completed"), "59 of 60 images")
        self.assertEqual(browser.text("failed"), "1 image")
        self.assertEqual(browser.errors(), [])

    def test_cells_that_stand_for_more_sectors_keep_the_selection(self):
        browser = self.browser
        shows_end(browser)
        # In one go, before the server tells the next state of its own run.
        seen = browser.run("""
            page.choose(40);
            const state = (sectors, sectorsPerCell, known) => ({
              time: page.model.began + page.model.now, began: page.model.began, name: "60 images", sectors,
              sectorsPerCell, systems: [], images: { known, total: 90_000, done: 60, failed: 0, now: [] } });
            page.hear("state", state(70_000, 2, 70_000));
            page.hear("cells", { cells: [20, 2, 0, 0, 0, 0] });
            page.drawSky();
            const { field, places } = page.model;
            return [field.count, places, field.completed[20], page.sky.selected];""")
        self.assertEqual(seen, [35_000, 45_000, 2, 20])
        self.assertEqual(browser.errors(), [])


@needs_browser
class ClusterTests(PageCase):
    kind, speed = "node", 1.0

    def test_node_says_for_whom_it_scans(self):
        browser = self.browser
        browser.wait("for whom", lambda: browser.text("collaboration-text") == "scanning 4 sectors for ada")
        self.assertEqual(self.value("byID('collaboration').dataset.moving"), "yes")
        running = self.value(
            "document.getAnimations().filter((animation) => animation.playState === 'running').length")
        self.assertGreaterEqual(running, 2)
        browser.wait("the engagement", lambda: "survey of ada" in browser.text("engagements"))
        browser.wait("two systems", lambda: set(rows(browser)) >= {"a", "b"})
        self.assertEqual(self.value("document.body.dataset.state"), "live")
        browser.run("page.label()")
        self.assertRegex(self.value("byID('constellation').getAttribute('aria-label')"), r"a scans 4 sectors for ada")
        # A star leads to its system. All stars move when a system joins, and c is the last one to.
        browser.wait("the stars of a, b, c and ada", lambda: self.value("page.constellation.stars.length") == 4)
        x, y = self.value("""(() => {
            const star = page.constellation.stars.find(({ name }) => name === "a");
            const box = byID("constellation").getBoundingClientRect();
            return [box.x + star.x, box.y + star.y];
        })()""")
        browser.mouse("mousePressed", x, y, button="left", clickCount=1)
        browser.mouse("mouseReleased", x, y, button="left", clickCount=1)
        browser.wait("for whom it scans", lambda: "ada: 4 scans" in browser.text("system-lists"))
        self.assertEqual(browser.text("system-title"), "a")
        self.assertEqual(browser.errors(), [])


@needs_browser
class IdleTests(PageCase):
    kind, speed = "idle", 1.0

    def test_idle_cluster_is_a_constellation_without_empty_figures(self):
        browser = self.browser
        browser.wait("five stars", lambda: self.value("page.constellation.stars.length") == 5)
        self.assertEqual(self.value("document.body.dataset.state"), "idle")
        self.assertIn("Nobody engages the cluster now.", browser.text("constellation-text"))
        self.assertNotRegex(self.value("document.body.innerText"), r"\b0 of 0\b|Time left|None\.")
        self.assertLessEqual(self.value("document.scrollingElement.scrollHeight"), 900)
        self.assertEqual(self.value("page.constellation.links.length"), 0)
        browser.run("""page.hear("cluster", { ...arguments[0], time: page.model.began + 9 })""", {
            "systems": [{"name": "a", "address": "", "slots": 4, "version": "", "state": "present", "running": 1,
                         "waiting": 0, "done": 3, "retried": 0, "history": [],
                         "scans": [{"sector": 1, "pass": 0, "client": "ada", "run": "1", "seconds": 1}]}],
            "engagements": [{"run": "1", "name": "survey", "client": "ada", "sectors": 9, "completed": 3, "failed": 0,
                             "rate": 1.0}]})
        browser.wait("work", lambda: self.value("page.constellation.links.length") == 1)
        self.assertEqual(browser.errors(), [])


@needs_browser
class CleanTests(PageCase):
    kind, speed, size = "clean", 4.0, (1280, 800)

    def test_cards_without_news_are_folded_away_and_the_end_is_good(self):
        browser = self.browser
        self.assertTrue(self.value("byID('failures-section').hidden && byID('ended-section').hidden"))
        shows_end(browser)
        self.assertEqual(self.value("document.body.dataset.state"), "ended")
        browser.wait("the sign of success", lambda: browser.text("share") == "✓ 100 %")
        self.assertTrue(self.value("byID('failures-section').hidden"))
        self.assertNotIn("None.", self.value("document.body.innerText"))
        browser.wait("all in sight", lambda: self.value("document.scrollingElement.scrollHeight") <= 800)
        self.assertEqual(browser.errors(), [])


@needs_browser
@unittest.skipIf(axe_missing(), "needs axe-core: pip install axe-selenium-python")
class AxeTests(unittest.TestCase):
    def check(self, browser, what):
        from axe_selenium_python import Axe
        axe = Axe(browser.driver)
        axe.inject()
        found = axe.run()["violations"]
        self.assertEqual([(found["id"], [node["html"][:120] for node in found["nodes"]][:3]) for found in found], [], what)

    def test_no_violation(self):
        for dark in (False, True):
            for kind, speed in (("run", 1), ("clean", 20), ("image", 1), ("night", 3), ("node", 1), ("idle", 1), ("report", 1)):
                with self.subTest(kind=kind, dark=dark), Browser(1280, 800, dark=dark) as browser:
                    server = served(kind, speed=speed)
                    self.addCleanup(server.stop)
                    browser.open(server.address)
                    browser.wait("systems", lambda: len(rows(browser)) >= 2)
                    if kind == "clean":
                        shows_end(browser)
                    self.check(browser, kind)
                    if kind == "run":
                        browser.wait("work", lambda: browser.run("return page.model.completed") > 3)
                        browser.run("document.querySelector('.plain-button').click(); page.choose(0)")
                        browser.wait("the system's view", lambda: browser.run("return !byID('system-section').hidden"))
                        self.check(browser, "a system's view and a sector's story")


@needs_browser
class ReportTests(PageCase):
    kind = "report"

    def test_slider_shows_any_moment(self):
        browser = self.browser
        asked = self.value("performance.getEntriesByType('resource').map((entry) => entry.name)")
        # The browser asks for an icon by itself.
        self.assertEqual([name for name in asked if not name.endswith("/favicon.ico")], [])
        browser.wait("the end", lambda: browser.text("completed") == "198 of 200")
        self.assertEqual(*self.value(RETRIED))
        browser.run("byID('slider').focus()")
        browser.key("Home")
        browser.wait("the beginning", lambda: browser.text("completed") == "0 of 200")
        for _ in range(5):
            browser.key("PageUp")
        text = browser.wait("the middle", lambda: self.value("byID('slider').getAttribute('aria-valuetext')"))
        self.assertRegex(text, r"^\d+(\.\d)? s of 2\d s, ")
        half = self.value("[page.model.completed, page.model.inFlight, page.model.failed]")
        self.assertGreater(half[0], 50)
        self.assertEqual(*self.value(RETRIED))
        # Going back and going forth come to the same.
        now = self.value("page.model.now")
        for other in (0.0, 3.0, 21.0):
            browser.run("page.moment.seek(arguments[0]); page.moment.seek(arguments[1])", other, now)
            self.assertEqual(self.value("[page.model.completed, page.model.inFlight, page.model.failed]"), half)
        browser.run("page.moment.seek(13)")
        browser.wait("that b is gone", lambda: rows(browser)["b"].startswith("gone"))
        browser.wait("the line of it", lambda: "disconnected b" in browser.text("log"))
        browser.run("page.moment.seek(5)")
        browser.wait("that b is there", lambda: rows(browser)["b"].startswith("present"))
        browser.wait("a log without the line", lambda: "disconnected b" not in browser.text("log"))
        self.assertEqual(browser.errors(), [])

    def test_what_was_slow_leads_to_its_moment(self):
        browser = self.browser
        self.assertIn("At best", browser.text("slow"))
        button = "document.querySelector('#slow table button')"
        sector = int(self.value(f"{button}.textContent"))
        browser.run(f"{button}.click()")
        self.assertEqual(self.value("page.sky.selected"), sector)
        browser.wait("the sector's attempt", lambda: "on its way" in browser.text("details"))

    def test_cells_of_a_night_name_their_images(self):
        browser = self.browser
        parts = [{"name": "night/<b>a.fits", "first": 0, "sectors": 3},
                 {"name": "night/b.fits", "first": 3, "sectors": 197}]
        browser.run("window.report = new DetailedReport({ ...page.model.data, parts: arguments[0] })", parts)
        self.assertEqual(self.value("cellName(window.report, 2)"), "sector 2, night/<b>a.fits")
        self.assertEqual(self.value("cellName(window.report, 3)"), "sector 3, night/b.fits")
        # A report of another run names none.
        self.assertEqual(self.value("cellName(page.model, 2)"), "sector 2")
        self.assertEqual(browser.errors(), [])

    def test_attempts_of_a_killed_process_end_with_it(self):
        ended = self.browser.run("""
            const data = { ...page.model.data, length: 60000, processes: [{ began: 0, ended: null }, { began: 50000, ended: 60000 }],
              attempts: { ...page.model.data.attempts, began: [1000, 500, 49000], took: [2000, -1, 3000], sector: [1, 2, 3],
                pass: 0, attempt: 1, system: 0, ends: 0, ending: [0, 4, 0], hedge: 0, reason: -1 } };
            return [...new DetailedReport(data).attempts.ended];""")
        # It was last heard of when its other attempt ended.
        self.assertEqual(ended, [3, 3, 53.5])

    def test_play_and_pause(self):
        browser = self.browser
        browser.run("byID('play').click()")
        # Until the first frame after the click, the page shows the end of the run.
        browser.wait("the first results", lambda: self.value(
            "page.model.completed > 5 && page.model.now < page.model.length"))
        browser.run("byID('play').click()")
        self.assertEqual(browser.text("play"), "Play")
        self.assertLess(self.value("page.model.now"), self.value("page.model.length"))


@needs_browser
class AggregateTests(PageCase):
    kind, speed = "aggregate", 1.0

    def test_aggregated_report(self):
        browser = self.browser
        self.assertLess(len(self.server.report), 5 * MEGABYTE)
        browser.wait("the end", lambda: browser.text("completed") == "150,000 of 150,000")
        browser.run("page.moment.seek(page.model.length / 2)")
        half = self.value("page.model.completed")
        self.assertGreater(half, 40_000)
        self.assertLess(half, 110_000)
        browser.run("page.moment.seek(page.model.length * 0.75)")
        browser.wait("a lost node", lambda: rows(browser)["node3"].startswith("gone"))
        self.assertEqual(browser.errors(), [])


@needs_browser
class LookTests(unittest.TestCase):
    def test_no_kind_is_wider_than_a_phone(self):
        with Browser(375, 812, mobile=True, dark=True) as browser:
            for kind in ("run", "image", "night", "cluster", "idle", "report"):
                with self.subTest(kind=kind):
                    server = served(kind, speed=10)
                    self.addCleanup(server.stop)
                    browser.open(server.address)
                    browser.wait("systems", lambda: len(rows(browser)) >= 2)
                    self.assertLessEqual(browser.run("return document.scrollingElement.scrollWidth"), 375)

    def test_contrast_in_light_and_dark(self):
        for dark in (False, True):
            with Browser(dark=dark) as browser:
                server = served("report")
                self.addCleanup(server.stop)
                browser.open(server.address)
                for ink in ("--text", "--soft", "--fault", "--accent"):
                    for ground in ("--panel", "--ground"):
                        contrast = browser.run("""
                            const style = getComputedStyle(document.body);
                            const light = (name) => {
                              const hex = style.getPropertyValue(name).trim();
                              const parts = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
                                .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
                              return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
                            };
                            const both = [light(arguments[0]), light(arguments[1])].sort((a, b) => a - b);
                            return (both[1] + 0.05) / (both[0] + 0.05);""", ink, ground)
                        self.assertGreaterEqual(contrast, 4.5, f"{ink} on {ground}, dark: {dark}")

    def test_nothing_moves_where_motion_is_unwanted(self):
        with Browser(still=True) as browser:
            server = served("run")
            self.addCleanup(server.stop)
            browser.open(server.address)
            browser.wait("systems", lambda: len(rows(browser)) >= 2)
            self.assertEqual(browser.run("return document.getAnimations().length"), 0)


class SourceTests(unittest.TestCase):
    """What the report's generator and the content security policy rely on."""

    def test_scripts_can_be_inlined(self):
        for path in PAGE.glob("*.js"):
            text = path.read_text()
            self.assertNotIn("</script", text.lower(), path.name)
            self.assertNotIn("<!--", text, path.name)
            self.assertNotRegex(text, r"\beval\(|new Function\(|innerHTML|document\.write", path.name)

    def test_page_has_no_inline_script_or_style_and_names_each_file(self):
        text = (PAGE / "index.html").read_text()
        self.assertNotRegex(text, r"<script(?! src=\"[\w.]+\"></script>)")
        self.assertNotRegex(text, r"<style|\sstyle=|\son\w+=|https?://")
        for path in PAGE.glob("*.js"):
            self.assertIn(f'<script src="{path.name}"></script>\n', text)
        self.assertIn("<!-- report -->\n", text)
        self.assertIn("<!-- policy -->\n", text)


@needs_browser
class TraceTests(unittest.TestCase):
    def test_100_000_sectors_take_at_most_8_milliseconds_a_frame_and_100_megabytes(self):
        server = served("large")
        self.addCleanup(server.stop)
        with Browser(1360, 900, trace=True) as browser:
            browser.open(server.address)
            heaps = []
            def is_over():
                heaps.append(browser.heap())
                return browser.run("return page.model?.end ?? null")
            # Each question is work for the page's thread too.
            browser.wait("the run's end", is_over, 120, pause=2)
            # The text is drawn with the frame after the end's news.
            browser.wait("every sector", lambda: browser.text("completed") == "100,000 of 100,000")
            work = browser.frames()
            self.assertGreater(len(work), 50)
            slow = percentile(work, 0.95)
            print(f"\n{len(work)} frames, main thread {percentile(work, 0.5):.1f} ms at the median, {slow:.1f} ms at the "
                  f"95th percentile; heap at most {max(heaps) / MEGABYTE:.1f} MB")
            self.assertLess(max(heaps), 100 * MEGABYTE)
            if os.environ.get("SKYNET_THOROUGH"):
                self.assertLessEqual(slow, 8)


if __name__ == "__main__":
    if missing():
        print(f"tests in a browser are skipped: {missing()}")
    unittest.main()
