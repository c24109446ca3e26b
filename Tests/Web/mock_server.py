#!/usr/bin/env python3
"""Serves the page with a run that is only played, for work on the page and for its tests.

  Tests/Web/mock_server.py run|clean|image|night|large|wide|cluster|node|idle|report|aggregate [--port N] [--speed X]

Says its address as the program does: `page: http://127.0.0.1:PORT/`.
"""

import argparse
import http.server
import json
import math
import random
import struct
import threading
import time
import zlib

from night import Night
from play import WORDS, Play
from report_page import PAGE, inlined, report

POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'"
TYPES = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".html": "text/html; charset=utf-8"}
SIDE = 1024
COLUMNS = 8


def short_run(begin=0.0, **options):
    # c joins, b dies; a node's name may be anything.
    return Play(200, [("local", 4, 1.0, 0, None), ("a", 4, 1.1, 0.3, None), ("b", 4, 1.0, 0.4, 12),
                      ("c\u202e<b>", 3, 0.8, 8, None)], failing=0.08, hopeless=(17, 130), begin=begin, **options)


def clean_run(begin=0.0, **options):
    """A run without a failed sector."""
    return Play(120, [("local", 4, 0.8, 0, None), ("a", 4, 0.9, 0.3, None), ("b", 8, 1.4, 3, None)], failing=0.05,
                begin=begin, **options)


def image_run(begin=0.0, **options):
    return Play(64, [("local", 2, 1.0, 0, None), ("a", 4, 1.2, 0.3, None), ("b", 4, 1.4, 0.4, 16)],
                passes=("background", "detection", "components"), failing=0.05, hopeless=(21,), begin=begin, **options)


def large_run(begin=0.0, sectors=100_000, seconds=0.006, **options):
    systems = [(f"node{number}", 8, seconds * (1 + number % 3), 0.1, 9 if number == 3 else None)
               for number in range(12)]
    return Play(sectors, systems, failing=0.004, begin=begin, **options)


def wide_run(begin=0.0, **options):
    """As large, and as fast, over 200 systems."""
    systems = [(f"node{number}", 8, 0.1 * (1 + number % 3), 0.1, 9 if number == 3 else None) for number in range(200)]
    return Play(100_000, systems, failing=0.004, begin=begin, **options)


def night_run(begin=0.0, **options):
    # The names are as long as those of a survey's folders.
    images = [(f"/survey/2026/november/run-004192/camera-column-3/night <b>/frame-{number:03}.fits", 1 + number % 3)
              for number in range(60)]
    return Night(images, [("local", 2, 0.9, 0, None), ("a", 4, 1.1, 0.3, None), ("b", 4, 1.0, 0.4, 12)],
                 failing=0.05, hopeless=(17,), begin=begin, **options)


class Scene:
    """A play in real time, which all viewers share."""

    def __init__(self, kind, speed=1.0):
        self.kind, self.speed = kind, speed
        self.play = None
        self.lock = threading.Lock()
        self.stars = star_places() if kind == "image" else []

    def begin(self):
        """Begins with the first viewer, however long its browser took to start."""
        makers = {"run": short_run, "clean": clean_run, "idle": idle_cluster, "image": image_run, "night": night_run, "large": large_run, "wide": wide_run,
                  "cluster": large_cluster, "node": large_cluster}
        # Only these have a report at their end.
        options = {"keeps_attempts": True} if self.kind in ("run", "clean") else {}
        with self.lock:
            self.play = self.play or makers[self.kind](begin=time.time(), **options)

    def advance(self):
        begin = self.play.begin
        self.play.advance(begin + (time.time() - begin) * self.speed)

    def hello(self):
        kind = {"cluster": "cluster", "node": "node", "idle": "cluster"}.get(self.kind, "run")
        return {"v": 1, "kind": kind, "software": "0.1.0", "program": "skynet", "name": "a" if kind == "node" else "ada",
                "lost": 0, "journal": "night of may.sqlite" if kind == "run" else None, "words": WORDS}

    def state(self):
        image = grid = None
        if self.kind == "image":
            image = {"width": SIDE, "height": SIDE, "scale": 2, "version": 10}
            grid = {"columns": COLUMNS, "rows": COLUMNS, "side": SIDE // COLUMNS}
        names = {"run": "200 simulated sectors", "clean": "120 simulated sectors", "image": "sky.fits", "night": "60 images", "large": "100,000 simulated sectors",
                 "wide": "100,000 simulated sectors"}
        state = self.play.state(names[self.kind], grid, image)
        if state["end"] and self.play.record is not None:
            state["files"] = [{"kind": "results", "name": "results.jsonl", "url": "results"},
                              {"kind": "report", "name": "night.html", "url": "report"}]
        return state

    def sources_of(self, sectors):
        side = SIDE / COLUMNS
        flat = []
        for sector in sectors:
            column, row = sector % COLUMNS, sector // COLUMNS
            for x, y, flux in self.stars:
                if column * side <= x < (column + 1) * side and row * side <= y < (row + 1) * side:
                    flat += [round(x, 1), round(y, 1), round(flux, 1)]
        return flat

    def cluster(self):
        state = self.play.state("survey")
        systems = []
        for row in state["systems"]:
            system = self.play.systems[row["row"]]
            scans = [{"sector": sector, "pass": 0, "client": "ada", "run": "00c0ffee00c0ffee",
                      "seconds": round(self.play.now - began, 2)}
                     for sector, _, _, began, _ in list(system.in_flight.values())]
            systems.append({
                "name": row["name"], "address": row["address"], "slots": row["slots"], "version": "0.1.0",
                "state": row["state"], "running": row["inFlight"], "waiting": row["row"] % 2 if row["inFlight"] else 0,
                "done": row["tasks"], "retried": row["retried"], "history": row["history"], "scans": scans,
                **{name: row[name] for name in ("host", "cores", "load", "memory") if name in row}})
        engagement = {"run": "00c0ffee00c0ffee", "name": "survey", "client": "ada", "sectors": state["sectors"],
                      "completed": state["completed"], "failed": state["failed"], "rate": state["rate"]}
        if state["secondsLeft"] is not None:
            engagement["secondsLeft"] = state["secondsLeft"]
        return {"time": self.play.now, "systems": systems,
                "engagements": [engagement] if state["end"] is None and state["sectors"] else []}


def large_cluster(begin):
    return Play(4000, [("a", 4, 0.8, 0, None), ("b", 8, 1.0, 0.2, 14), ("c", 2, 1.0, 6, None)], failing=0.02,
                begin=begin)


def idle_cluster(begin):
    return Play(0, [("a", 4, 0.8, 0, None), ("b", 8, 1.0, 0, None), ("c", 2, 1.0, 0, None), ("delta", 16, 1.0, 0, None),
                    ("echo", 6, 1.0, 0, None)], begin=begin)


def star_places():
    chance = random.Random(3)
    return [(chance.uniform(4, SIDE - 4), chance.uniform(4, SIDE - 4), chance.paretovariate(1.1) * 100)
            for _ in range(420)]


def star_picture(stars):
    """A picture of the stars: 8-bit grey, its top row the highest y."""
    scale, side = 2, SIDE // 2
    chance = random.Random(5)
    rows = [bytearray(28 + chance.randrange(14) for _ in range(side)) for _ in range(side)]
    for x, y, flux in stars:
        reach = 1.2 + math.log10(flux) * 0.55
        left, top = x / scale, side - y / scale
        for row in range(max(0, int(top - 9)), min(side, int(top + 9))):
            for column in range(max(0, int(left - 9)), min(side, int(left + 9))):
                distance = ((column - left) ** 2 + (row - top) ** 2) / reach ** 2
                value = rows[row][column] + 60 * math.log10(flux) * math.exp(-distance)
                rows[row][column] = min(255, int(value))
    pixels = b"".join(b"\0" + bytes(row) for row in rows)

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        path = self.path.split("?")[0]
        name = "index.html" if path == "/" else path[1:]
        if path == "/events" and self.server.scene:
            self.stream()
        elif path == "/image" and self.server.scene and self.server.scene.stars:
            self.answer(star_picture(self.server.scene.stars), "image/png")
        elif path == "/report" and self.server.scene and self.server.scene.play.end:
            self.answer(inlined(report(self.server.scene.play, "a run")).encode(), TYPES[".html"], policy=None)
        elif path == "/" and self.server.report:
            self.answer(self.server.report, TYPES[".html"], policy=None)
        elif path == "/favicon.ico":
            self.send_response(204)
            self.end_headers()
        elif "/" not in name and (PAGE / name).is_file():
            self.answer((PAGE / name).read_bytes(), TYPES[(PAGE / name).suffix])
        else:
            self.send_error(404)

    def answer(self, body, kind, policy=POLICY):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if policy:
            self.send_header("Content-Security-Policy", policy)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        self.wfile.write(body)

    def send(self, name, message):
        text = json.dumps(message, separators=(",", ":"))
        self.wfile.write(f"event: {name}\ndata: {text}\n\n".encode())

    def stream(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        scene = self.server.scene
        scene.begin()
        try:
            self.send("hello", scene.hello())
            follow = self.follow_cluster if scene.hello()["kind"] != "run" else self.follow_run
            follow(scene)
        except OSError:
            pass

    def follow_run(self, scene):
        cells = attempts = failures = notices = found = images = bins = marks = 0
        step = None
        while not self.server.stopping.is_set():
            with scene.lock:
                scene.advance()
                play = scene.play
                messages = [("state", scene.state())]
                if scene.kind == "night" and len(play.known) > images:
                    messages.append(("images", {"images": play.known[images:]}))
                    images = len(play.known)
                flat, cells = play.cells_since(cells)
                messages.append(("cells", {"cells": flat}))
                message, attempts = play.attempts_since(attempts)
                messages.append(("attempts", message))
                history = play.history
                if history.step != step:
                    step, bins = history.step, 0
                # The last bin may grow.
                messages.append(("history", history.told(max(0, bins - 1), marks)))
                bins, marks = len(history.busy), len(history.marks)
                if len(play.failures) > failures:
                    messages.append(("failures", {"failures": play.failures[failures:][-200:]}))
                    failures = len(play.failures)
                if len(play.found) > found and scene.stars:
                    messages.append(("sources", {"sources": scene.sources_of(play.found[found:])}))
                    found = len(play.found)
                if len(play.notices) > notices:
                    messages.append(("notices", {"notices": play.notices[notices:][-500:], "lost": 0}))
                    notices = len(play.notices)
            for message in messages:
                self.send(*message)
            self.server.stopping.wait(0.25)

    def follow_cluster(self, scene):
        notices = 0
        while not self.server.stopping.is_set():
            with scene.lock:
                scene.advance()
                messages = [("cluster", scene.cluster())]
                fresh = [notice for notice in scene.play.notices[notices:] if "re-run" not in notice["text"]]
                notices = len(scene.play.notices)
                if fresh:
                    messages.append(("notices", {"notices": fresh, "lost": 0}))
            for message in messages:
                self.send(*message)
            self.server.stopping.wait(1)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    # Streams end when they are told to, and are not waited for.
    block_on_close = False

    def __init__(self, kind, port=0, speed=1.0, scene=None):
        self.scene = self.report = None
        self.stopping = threading.Event()
        if kind == "report":
            self.report = inlined(report(short_run(keeps_attempts=True), "200 simulated sectors")).encode()
        elif kind == "aggregate":
            play = large_run(sectors=150_000, keeps_attempts=True)
            self.report = inlined(report(play, "150,000 simulated sectors")).encode()
        else:
            self.scene = scene or Scene(kind, speed)
        super().__init__(("127.0.0.1", port), Handler)

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_address[1]}/"

    def start(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def stop(self):
        self.stopping.set()
        self.shutdown()
        self.server_close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "kind", choices=["run", "clean", "image", "night", "large", "wide", "cluster", "node", "idle", "report", "aggregate"])
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--speed", type=float, default=1.0, help="how many times as fast as a clock")
    options = parser.parse_args()
    server = Server(options.kind, options.port, options.speed)
    print(f"page: {server.address}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
