#!/usr/bin/env python3
"""The sky of the page in a real Chromium: pictures with their sources, nights of images, stories of sectors.

  Tests/Web/test_sky.py [-v] [TEST…]        as unittest has it, such as PictureTests.test_flash_ends
"""

import unittest

from browser import Browser, missing, needs_browser
from check_page import shows_end
from test_page import PageCase, served

# The time after which a point that was found no longer lights up, with room for a busy machine.
FLASH = 1.2


def pixels(browser, canvas, condition):
    """How many pixels of a canvas meet a condition on r, g, b and a."""
    return browser.run("""
        const canvas = byID(arguments[0]);
        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
        copy.drawImage(canvas, 0, 0);
        const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
        let count = 0;
        for (let at = 0; at < data.length; at += 4) {
          const [r, g, b, a] = [data[at], data[at + 1], data[at + 2], data[at + 3]];
          if (CONDITION) count += 1;
        }
        return count;""".replace("CONDITION", condition), canvas)


YELLOW = "r > 180 && g > 170 && b < 120 && a > 100"
FRESH = "r > 230 && g > 220 && b > 150 && b < 225 && a > 100"


class SkyCase(PageCase):
    def pressed(self, name):
        return self.value(f"document.querySelector('[data-shows={name}]').getAttribute('aria-pressed')")

    def toggle(self, name):
        self.browser.run(f"document.querySelector('[data-shows={name}]').click()")
        self.draw()

    def draw(self):
        self.browser.run("page.drawSky()")


@needs_browser
class PictureTests(SkyCase):
    kind, speed = "image", 6.0

    def ended(self):
        shows_end(self.browser)
        self.browser.wait("the picture", lambda: self.value("page.sky.picture?.width") == 512)
        self.browser.wait("rings", lambda: self.value("page.sky.rings.shown.length") > 20)

    def test_flash_ends(self):
        browser = self.browser
        browser.wait("points that light up", lambda: self.value("page.sky.rings.fresh.length") > 0)
        browser.wait("their light", lambda: pixels(browser, "pulse", FRESH) > 20, 20)
        self.ended()
        browser.wait("the end of it", lambda: self.value("page.sky.rings.fresh.length") == 0, FLASH + 10)
        browser.wait("no light", lambda: pixels(browser, "pulse", FRESH) == 0, 5)
        self.assertEqual(browser.errors(), [])

    def test_flash_ends_without_another_message(self):
        browser = self.browser
        browser.wait("points that light up", lambda: self.value("page.sky.rings.fresh.length") > 0)
        browser.run("page.feed.source.close()")
        browser.wait("the end of it", lambda: self.value("page.sky.rings.fresh.length") == 0, FLASH + 10)
        browser.wait("no light", lambda: pixels(browser, "pulse", FRESH) == 0, 5)

    def test_nothing_lights_up_on_a_page_that_is_hidden(self):
        browser = self.browser
        browser.run("""
            Object.defineProperty(document, "hidden", { get: () => true });
            page.sky.rings.endFlash();
            page.lit = 0;
            const { waitForEnd } = page.sky.rings;
            page.sky.rings.waitForEnd = function () { page.lit += 1; waitForEnd.call(this); };""")
        self.ended()
        self.assertEqual(self.value("page.lit"), 0)

    def test_rings_are_thin_and_apart_and_more_when_zoomed_in(self):
        self.ended()
        rings = self.value("page.sky.rings.shown")
        known = self.value("page.model.points.count")
        self.assertLess(len(rings), known / 2)
        for at, ring in enumerate(rings):
            for other in rings[:at]:
                apart = ((ring["x"] - other["x"]) ** 2 + (ring["y"] - other["y"]) ** 2) ** 0.5
                self.assertGreaterEqual(apart, 13.9)
        # The brightest of all is among them, and the mean of those shown is above that of all.
        self.assertTrue(self.value("""(() => {
            const { points, rings } = { points: page.model.points, rings: page.sky.rings };
            const all = [...points.strength.subarray(0, points.count)];
            const brightest = all.indexOf(Math.max(...all));
            return rings.shown.some(({ index }) => index === brightest);
        })()"""))
        # The middle of a ring is free, so that its star can be seen.
        free = self.browser.run("""
            const { shown } = page.sky.rings;
            const { width, height } = byID("marks");
            const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
            context.drawImage(byID("marks"), 0, 0);
            const isFree = ({ x, y }) => context.getImageData(Math.round(x), Math.round(y), 1, 1).data[3] < 60;
            return shown.filter(isFree).length / shown.length;""")
        self.assertGreater(free, 0.9)
        middle = "page.sky.view.width / 2, page.sky.view.height / 2"
        inside = self.value("page.sky.rings.shown.filter(({ x, y }) => Math.abs(x - page.sky.view.width / 2) < "
                            "page.sky.view.width / 8 && Math.abs(y - page.sky.view.height / 2) < "
                            "page.sky.view.height / 8).length")
        self.browser.run(f"page.controls.zoom(4, {middle}); page.drawSky()")
        self.assertGreater(self.value("page.sky.rings.shown.length"), inside)
        self.assertEqual(self.browser.errors(), [])

    def test_brightest_in_sight_have_rings_wherever_one_looks(self):
        self.ended()
        # Each one in sight has a ring, or is too close to a brighter one, or more rings would hide the picture.
        missed = self.browser.run("""
            const { rings, view } = page.sky;
            let missed = 0;
            for (let step = 0; step < 12; step++) {
              page.controls.zoom(step % 4 === 0 ? 0.01 : 2, view.width * (step % 5) / 5, view.height * (step % 3) / 3);
              page.drawSky();
              const isShown = new Set(rings.shown.map(({ index }) => index));
              const faintest = Math.min(...rings.shown.map(({ index }) => rings.points.strength[index]));
              for (let index = 0; index < rings.points.count; index++) {
                const ring = rings.ring(index, view);
                const isInSight = ring.x > 0 && ring.y > 0 && ring.x < view.width && ring.y < view.height;
                if (!isInSight || isShown.has(index)) continue;
                const isClose = rings.shown.some(({ x, y }) => Math.hypot(x - ring.x, y - ring.y) <= 40);
                if (!isClose && rings.points.strength[index] > faintest) missed += 1;
              }
            }
            return missed;""")
        self.assertEqual(missed, 0)

    def test_ring_fits_its_source(self):
        self.ended()
        # A wider star has a wider ring.
        reaches = self.browser.run("""
            const { rings } = page.sky;
            const { strength, count } = rings.points;
            const order = [...Array(count).keys()].sort((left, right) => strength[right] - strength[left]);
            const mean = (indexes) => indexes.reduce((sum, index) => sum + rings.reach(index), 0) / indexes.length;
            return [mean(order.slice(0, 40)), mean(order.slice(-40))];""")
        self.assertGreater(reaches[0], 1.2 * reaches[1])
        self.assertLess(reaches[0], 60)

    def test_sectors_are_off_at_first_and_toggles_are_remembered(self):
        browser = self.browser
        self.ended()
        self.assertEqual([self.pressed(name) for name in ("sectors", "sources", "tint")], ["false", "true", "true"])
        self.draw()
        light = "r > 200 && g > 200 && b > 200 && a > 100"
        without = pixels(browser, "marks", light)
        self.toggle("sectors")
        self.assertEqual(self.pressed("sectors"), "true")
        self.assertGreater(pixels(browser, "marks", light), without + 200)
        self.assertGreater(pixels(browser, "marks", YELLOW), 100)
        self.toggle("sources")
        self.assertLess(pixels(browser, "marks", YELLOW), 10)
        colored = "Math.max(r, g, b) - Math.min(r, g, b) > 12"
        self.assertGreater(pixels(browser, "sky", colored), 10_000)
        self.toggle("tint")
        self.assertLess(pixels(browser, "sky", colored), 100)
        browser.open(self.server.address)
        browser.wait("the model", lambda: browser.run("return page.model?.grid != null"))
        self.assertEqual([self.pressed(name) for name in ("sectors", "sources", "tint")], ["true", "false", "false"])
        self.assertEqual(browser.errors(), [])

    def test_toggles_are_buttons(self):
        self.ended()
        names = [name for role, name in self.browser.nodes() if role == "button"]
        for name in ("Sectors", "Sources", "Systems"):
            self.assertIn(name, names)

    def test_source_under_the_pointer_shows_its_row(self):
        browser = self.browser
        self.ended()
        self.assertTrue(self.value("byID('point-card').hidden"))
        index = browser.run("""
            byID("sky").scrollIntoView({ block: "center" });
            const { height } = byID("sky").getBoundingClientRect();
            return page.sky.rings.shown.find(({ y }) => y > 40 && y < height - 40).index;""")

        def place():
            """Where the ring is now: late news may have moved the sky."""
            return browser.run("""
                const box = byID("sky").getBoundingClientRect();
                const { x, y } = page.sky.rings.shown.find(({ index }) => index === arguments[0]);
                return [x + box.x, y + box.y];""", index)
        browser.mouse("mouseMoved", *place())
        browser.wait("its row", lambda: not self.value("byID('point-card').hidden"))
        text = browser.text("point-card")
        position = self.value(f"page.model.points.x[{index}].toFixed(1)")
        for part in ("Source", "x, y", position, "flux", "magnitude", "sector", "found by"):
            self.assertIn(part, text)
        browser.mouse("mouseMoved", 5, 5)
        browser.wait("no row", lambda: self.value("byID('point-card').hidden"))
        # A click keeps it, and chooses its sector.
        x, y = place()
        for kind in ("mousePressed", "mouseReleased"):
            browser.mouse(kind, x, y, button="left", clickCount=1)
        browser.mouse("mouseMoved", 5, 5)
        browser.wait("the choice of it", lambda: self.value("page.sky.rings.selected") == index)
        browser.wait("its row again", lambda: not self.value("byID('point-card').hidden"))
        self.assertEqual(browser.text("point-card"), text)
        self.assertGreaterEqual(self.value("page.choice.sector"), 0)
        self.assertEqual(browser.errors(), [])

    def test_source_by_keyboard(self):
        browser = self.browser
        self.ended()
        browser.run("byID('sky').focus()")
        browser.key("n")
        first = self.value("page.sky.rings.selected")
        strengths = self.value("page.sky.rings.shown.map(({ index }) => page.model.points.strength[index])")
        self.assertEqual(self.value(f"page.model.points.strength[{first}]"), max(strengths))
        self.assertIn("Source: x, y ", browser.text("announcer"))
        self.assertFalse(self.value("byID('point-card').hidden"))
        browser.key("n")
        self.assertNotEqual(self.value("page.sky.rings.selected"), first)
        browser.key("p")
        self.assertEqual(self.value("page.sky.rings.selected"), first)
        browser.key("Escape")
        self.assertEqual(self.value("page.sky.rings.selected"), -1)
        self.assertTrue(self.value("byID('point-card').hidden"))

    def test_further_columns_are_shown_under_their_names(self):
        self.ended()
        text = self.browser.run("""
            page.feed.source.close();
            page.hear("sources", { columns: ["x", "y", "flux", "<b>class_star"], sources: [500, 600, 1e6, 0.98] });
            page.drawSky();
            return page.card.text(page.model, page.model.points.count - 1);""")
        self.assertIn("<b>class_star 0.98", text)
        self.assertIn("flux 1,000,000", text)


@needs_browser
class StillTests(SkyCase):
    kind, speed, look = "image", 6.0, {"still": True}

    def test_nothing_lights_up_where_motion_is_unwanted(self):
        browser = self.browser
        browser.run("""
            const { lightUp } = page.sky.rings;
            page.lit = 0;
            page.sky.rings.lightUp = function (first) {
              lightUp.call(this, first);
              page.lit += this.fresh.length;
            };""")
        browser.wait("many sources", lambda: self.value("page.model.points.count") > 100)
        self.assertEqual(self.value("page.lit"), 0)


@needs_browser
class StoryTests(SkyCase):
    kind = "run"

    def test_story_has_attempts_reasons_and_hedges(self):
        browser = self.browser
        browser.wait("the failed sector", lambda: "Sector 17 failed" in browser.text("failures"))
        browser.run("page.sky.show(17)")
        browser.wait("its attempts", lambda: self.value(
            "document.querySelectorAll('#details .attempts li').length") == 5)
        text = browser.text("details")
        self.assertIn("5 attempts, on ", text)
        self.assertIn("4 retried", text)
        self.assertRegex(text, r"Attempt 1 on \S+: failed after \d+(\.\d)? m?s: simulated failure")
        # A second copy, which was withdrawn when the first one had a result.
        browser.run("""
            const { attempts, now } = page.model;
            attempts.add(3, 0, 1, 0, now - 3, now - 1, endings.done, 0);
            attempts.add(3, 0, 2, 1, now - 2, now - 1, endings.withdrawn, 1);
            page.sky.show(3);""")
        browser.wait("its story", lambda: "1 hedged" in browser.text("details"))
        self.assertRegex(browser.text("details"), r"on \S+, a hedge: withdrawn after 1\.0 s")
        self.assertEqual(browser.errors(), [])

    def test_notice_leads_to_the_sector_and_back(self):
        browser = self.browser
        browser.run("document.addEventListener('sector', ({ detail }) => {"
                    "(page.told ??= []).push(detail.sector); })")
        browser.wait("a notice of a sector", lambda: self.value("document.querySelector('#log a') !== null"))
        sector = int(browser.run(
            "const link = document.querySelector('#log a'); link.click(); return link.textContent"))
        browser.wait("its story", lambda: f"Sector {sector}" in browser.text("details"))
        self.assertEqual(self.value("location.hash"), f"#sector={sector}")
        self.assertEqual(self.value("page.sky.selected"), sector)
        # The button leads back as the browser's does.
        browser.run("document.querySelector('#details .back').click()")
        browser.wait("nothing selected", lambda: self.value("page.sky.selected") == -1)
        self.assertEqual(self.value("location.hash"), "")
        browser.driver.forward()
        browser.wait("the way forth", lambda: self.value("page.sky.selected") == sector)
        browser.run("page.sky.show(3)")
        self.assertEqual(self.value("location.hash"), "#sector=3")
        browser.driver.back()
        browser.wait("the way back", lambda: self.value("page.sky.selected") == sector)
        browser.driver.back()
        browser.wait("nothing selected", lambda: self.value("page.sky.selected") == -1)
        self.assertEqual(browser.text("details"), "")
        browser.driver.forward()
        browser.wait("the way forth", lambda: self.value("page.sky.selected") == sector)
        self.assertEqual(self.value("page.told"), [sector, -1, sector, 3, sector, -1, sector])
        self.assertEqual(browser.errors(), [])

    def test_flood_of_notices_is_shown_whole(self):
        browser = self.browser
        browser.run("""
            page.feed.source.close();
            const first = (page.model.notices.at(-1)?.number ?? 0) + 1;
            page.hear("notices", { notices: Array.from({ length: 95 }, (_, at) => ({
              number: first + at, time: page.model.began, fault: true, text: `re-run ${at}: failed on a: no` })) });""")
        browser.wait("the last one", lambda: "re-run 94:" in browser.text("log"))
        texts = self.value("[...document.querySelectorAll('#log a')].slice(-95).map((link) => Number(link.textContent))")
        self.assertEqual(texts, list(range(95)))

    def test_button_leads_back(self):
        browser = self.browser
        browser.run("page.sky.show(5)")
        browser.wait("its story", lambda: "Sector 5" in browser.text("details"))
        browser.run("document.querySelector('#details .back').click()")
        browser.wait("nothing selected", lambda: self.value("page.sky.selected") == -1)
        self.assertEqual(self.value("location.hash"), "")
        # Steps by keys are not in the way back.
        browser.run("byID('sky').focus()")
        for _ in range(4):
            browser.key("ArrowRight", shift=True)
        self.assertRegex(self.value("location.hash"), r"^#sector=\d+$")
        browser.run("document.querySelector('#details .back').click()")
        browser.wait("nothing selected", lambda: self.value("page.sky.selected") == -1)

    def test_bar_of_the_time_line_leads_to_its_sector(self):
        browser = self.browser
        browser.wait("some bars", lambda: self.value("page.timeline.bounds?.length ?? 0") > 50)
        sector = browser.run("""
            const { bounds, canvas } = page.timeline;
            const [sector, left, right, top, height] = bounds.slice(-5);
            canvas.scrollIntoView({ block: "center" });
            const box = canvas.getBoundingClientRect();
            canvas.dispatchEvent(new MouseEvent("click", {
              bubbles: true, clientX: box.x + (left + right) / 2, clientY: box.y + top + height / 2 }));
            return sector;""")
        self.assertEqual(self.value("page.choice.sector"), sector)
        self.assertEqual(self.value("location.hash"), f"#sector={sector}")

    def test_address_chooses_a_sector(self):
        browser = self.browser
        browser.open(self.server.address + "#sector=12")
        browser.run("location.reload()")
        browser.wait("the sector", lambda: self.value("typeof page === 'object' && page.sky.selected === 12"))
        browser.wait("its story", lambda: "Sector 12" in browser.text("details"))
        # What no run has, and what is no sector, is none.
        for address in ("#sector=100000", "#sector=x", "#main"):
            browser.run("location.hash = arguments[0]", address)
        self.assertEqual(browser.errors(), [])


@needs_browser
class TileTests(SkyCase):
    kind = "night"

    def test_tiles_fill_and_the_last_one_is_large(self):
        browser = self.browser
        self.assertTrue(self.value("page.sky.hasTiles"))
        browser.wait("the last image", lambda: not self.value("byID('latest').hidden"))
        early = browser.wait("its name", lambda: browser.text("latest-name"))
        self.assertRegex(early, r"^frame-\d+\.fits$")
        self.assertRegex(browser.text("latest-text"), r"^\d of \d sectors?")
        browser.wait("another one", lambda: browser.text("latest-name") != early)
        shows_end(browser)
        browser.wait("the last of all", lambda: browser.text("latest-name") == "frame-059.fits")
        browser.wait("all of it", lambda: self.value("byID('latest-progress').value === byID('latest-progress').max"))
        # One tile an image, and all of its dots are the same image's.
        wrong = browser.run("""
            const { layout } = page.sky;
            let wrong = 0;
            for (let row = 0; row < layout.rows; row++) {
              for (let column = 0; column < layout.columns; column++) {
                const cell = layout.cellAt(column, row);
                if (cell >= 0 && page.model.partNames.indexOf(cell) !== layout.tileAt(column, row)) wrong += 1;
              }
            }
            return wrong;""")
        self.assertEqual(wrong, 0)
        # Each cell has a dot at which it is found again.
        lost = browser.run("""
            const { layout } = page.sky;
            let lost = 0;
            for (let cell = 0; cell < page.model.field.count; cell++) {
              let dots = 0;
              layout.places(cell, (place) => {
                dots += 1;
                const [column, row] = [place % layout.columns, Math.floor(place / layout.columns)];
                if (layout.cellAt(column, row) !== cell) lost += 1;
              });
              if (dots === 0) lost += 1;
            }
            return lost;""")
        self.assertEqual(lost, 0)
        self.assertEqual(browser.errors(), [])

    def test_failed_image_is_marked_and_found(self):
        browser = self.browser
        browser.wait("the failed sector", lambda: self.value("page.model.failures.has(17)"))
        self.draw()
        place = self.value("(() => { const [x, y, width, height] = page.sky.rectangle(...page.sky.worldOf(17));"
                           "return [x + width / 2, y + height / 2]; })()")
        self.assertEqual(self.value(f"page.sky.cellAt({place[0]}, {place[1]})"), 17)
        ink = self.browser.run("const [x, y] = arguments[0];"
                               "return [...byID('marks').getContext('2d').getImageData(x, y, 1, 1).data]", place)
        self.assertGreater(ink[3], 200)

    def test_notice_of_an_image_leads_to_its_sector(self):
        self.browser.wait("some images", lambda: self.value("page.model.partNames.all.length > 3"))
        shown = self.browser.run("""
            const name = page.model.partNames.all[3].name;
            const [link] = linked(`re-run sector 0 of '${name}': failed on a: no`, page.model).filter((node) => node.href);
            return [link.hash, page.model.partNames.all[3].first];""")
        self.assertEqual(shown[0], f"#sector={shown[1]}")

    def test_thousands_of_images_have_smaller_tiles_and_more_have_none(self):
        seen = self.browser.run("""
            page.feed.source.close();
            const state = (count, sectors) => ({
              time: page.model.began + page.model.now, began: page.model.began, name: "a survey",
              sectors: count * sectors, sectorsPerCell: Math.ceil(count * sectors / 65536), systems: [],
              images: { known: count, total: count, done: 0, failed: 0, now: [] } });
            const show = (count, sectors) => {
              page.hear("hello", { v: 1, kind: "run", software: "0", program: "skynet", name: "ada", words: page.model.words });
              page.hear("images", { images: Array.from({ length: count }, (_, at) => (
                { name: `frame-${at}.fits`, first: at * sectors, sectors })) });
              page.hear("state", state(count, sectors));
              page.hear("cells", { cells: [0, 1, 0, 0, 0, 0] });
              const began = performance.now();
              page.drawSky();
              const { layout } = page.sky;
              return { tiles: page.sky.hasTiles, columns: layout.columns, rows: layout.rows, took: performance.now() - began };
            };
            return [show(3000, 64), show(60, 400), show(5000, 4)];""")
        self.assertEqual([view["tiles"] for view in seen], [True, True, False])
        self.assertLessEqual(seen[0]["columns"] * seen[0]["rows"], 300_000)
        print(f"\n3,000 images are laid out and drawn in {seen[0]['took']:.0f} ms")
        self.assertEqual(self.browser.errors(), [])


@needs_browser
class PhoneTests(unittest.TestCase):
    def test_pictures_and_nights_are_no_wider_than_a_phone(self):
        with Browser(390, 844, mobile=True, dark=True) as browser:
            for kind in ("image", "night"):
                with self.subTest(kind=kind):
                    server = served(kind, speed=10)
                    self.addCleanup(server.stop)
                    browser.open(server.address)
                    browser.wait("the sky", lambda: browser.run("return (page.model?.completed ?? 0) > 5"))
                    browser.run("page.sky.show(3)")
                    self.assertLessEqual(browser.run("return document.scrollingElement.scrollWidth"), 390)
            self.assertEqual(browser.errors(), [])


if __name__ == "__main__":
    if missing():
        print(f"tests in a browser are skipped: {missing()}")
    unittest.main()
