"""A real Chromium, headless, driven by Selenium; tests skip where either is missing."""

import base64
import json
import shutil
import time
import unittest

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
except ImportError:
    webdriver = None

DRIVER = shutil.which("chromedriver")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def missing():
    """What is missing for tests in a browser, or None."""
    if webdriver is None:
        return "selenium is not installed (pip install selenium)"
    if not DRIVER or not CHROMIUM:
        return "Chromium is not installed (apt-get install chromium chromium-driver)"
    return None


needs_browser = unittest.skipIf(missing(), f"needs a browser: {missing()}")


class Browser:
    def __init__(self, width=1280, height=900, dark=False, still=False, mobile=False, trace=False):
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars",
                         f"--window-size={width},{height}"):
            options.add_argument(argument)
        logs = {"browser": "ALL"}
        if trace:
            logs["performance"] = "ALL"
            options.add_experimental_option("perfLoggingPrefs", {
                "enableNetwork": False, "enablePage": False, "traceCategories": "toplevel,devtools.timeline"})
        options.set_capability("goog:loggingPrefs", logs)
        # The driver is named, so that none is looked for in the network.
        self.driver = webdriver.Chrome(options=options, service=Service(DRIVER))
        self.command("Emulation.setDeviceMetricsOverride",
                     width=width, height=height, deviceScaleFactor=1, mobile=mobile)
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"}])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def command(self, name, **arguments):
        return self.driver.execute_cdp_cmd(name, arguments)

    def open(self, address):
        self.driver.get(address)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def text(self, identifier):
        return self.run("return document.getElementById(arguments[0]).textContent", identifier)

    def label(self, identifier):
        """What the canvas says of itself. The page sets it each few seconds; here it is asked for."""
        self.run("page.label()")
        return self.run("return document.getElementById(arguments[0]).getAttribute('aria-label')", identifier)

    def wait(self, what, condition, seconds=120, pause=0.1):
        """Waits until the condition gives something true, which is returned."""
        end = time.monotonic() + seconds
        while True:
            value = condition()
            if value:
                return value
            if time.monotonic() > end:
                raise AssertionError(f"in {seconds} s there was not: {what}")
            time.sleep(pause)

    def key(self, name, shift=False, text=None):
        """Presses a key as a keyboard does."""
        codes = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36,
                 "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
        event = {"key": name, "modifiers": 8 if shift else 0, "windowsVirtualKeyCode": codes.get(name, ord(name[0])),
                 "code": name if name in codes and name != " " else ""}
        text = "\r" if name == "Enter" else name if len(name) == 1 else text
        self.command("Input.dispatchKeyEvent", type="keyDown", **event, **({"text": text} if text else {}))
        self.command("Input.dispatchKeyEvent", type="keyUp", **event)

    def mouse(self, kind, x, y, **more):
        self.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def fingers(self, kind, *places):
        """A touch event: touchStart, touchMove, or touchEnd with the fingers that are left."""
        self.command("Input.dispatchTouchEvent", type=kind,
                     touchPoints=[{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)])

    def middle(self, identifier):
        return self.run(
            "const box = document.getElementById(arguments[0]).getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2]", identifier)

    def colors(self, identifier):
        """How many pixels of a canvas have each colour of the systems (Okabe & Ito), by the system's row."""
        return self.run("""
            const canvas = document.getElementById(arguments[0]);
            // In a copy, as a canvas that is read is no longer drawn by the graphics processor.
            const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
            copy.drawImage(canvas, 0, 0);
            const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
            const counts = systemColors.map(() => 0);
            for (let at = 0; at < data.length; at += 4) {
              systemColors.forEach((color, row) => {
                if (data[at] === color[0] && data[at + 1] === color[1] && data[at + 2] === color[2]) counts[row] += 1;
              });
            }
            return counts;""", identifier)

    def screenshot(self, path, whole=False):
        answer = self.command("Page.captureScreenshot", captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(answer["data"]))

    def errors(self):
        """What the browser complained of: scripts that threw, a policy that was broken, files that are missing."""
        # It asks for an icon, which no page named.
        return [entry["message"] for entry in self.driver.get_log("browser")
                if entry["level"] in ("SEVERE", "WARNING") and "/favicon.ico" not in entry["message"]]

    def nodes(self):
        """The accessibility tree: (role, name) of each node that is not ignored."""
        self.command("Accessibility.enable")
        tree = self.command("Accessibility.getFullAXTree")["nodes"]
        value = lambda node, name: (node.get(name) or {}).get("value", "")
        return [(value(node, "role"), value(node, "name")) for node in tree if not node.get("ignored")]

    def heap(self):
        """The bytes of the page's heap, with the typed arrays and pictures that lie beside it."""
        usage = self.command("Runtime.getHeapUsage")
        return sum(usage.get(name, 0) for name in ("usedSize", "embedderHeapUsedSize", "backingStorageSize"))

    def frames(self):
        """The work of the page's main thread for each frame since the last call, in milliseconds of processor
        time: all tasks from the frame before it on. (The time on the wall also has what other processes took.)"""
        events = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Tracing.dataCollected":
                events.append(message["params"])
        return frame_work(events)


def frame_work(events):
    threads = [(event["pid"], event["tid"]) for event in events if event["name"] == "FireAnimationFrame"]
    if not threads:
        return []
    # The page's own thread is the one that animates; the browser has pages of its own.
    main = max(set(threads), key=threads.count)
    of_main = [event for event in events if (event["pid"], event["tid"]) == main and event["ph"] == "X"]
    drawn = sorted(event["ts"] for event in of_main if event["name"] == "PrePaint")
    tasks = sorted((event["ts"], event["dur"], event.get("tdur", event["dur"]))
                   for event in of_main if event["name"].endswith("RunTask"))
    work, total, at = [], 0, 0
    for start, took, busy in tasks:
        total += busy
        if at < len(drawn) and drawn[at] <= start + took:
            # The task that draws ends a frame.
            while at < len(drawn) and drawn[at] <= start + took:
                at += 1
            work.append(total / 1000)
            total = 0
    return work


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
