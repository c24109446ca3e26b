"""A report as `skynet report` makes it: one file of the page, its styles, its scripts and the data."""

import json
import pathlib
import re

from play import DONE, FAILED, LOST, WORDS, Play

PAGE = pathlib.Path(__file__).resolve().parents[2] / "Sources/SkyNetWeb/Page"


def inlined(data, page=PAGE):
    text = (page / "index.html").read_text()
    text = re.sub(
        r' *<link rel="stylesheet" href="([\w.]+)">',
        lambda match: f"<style>\n{(page / match[1]).read_text()}</style>", text)
    text = re.sub(
        r' *<script src="([\w.]+)"></script>',
        lambda match: f"<script>\n{(page / match[1]).read_text()}</script>", text)
    packed = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    return text.replace(
        "<!-- report -->", f'<script type="application/json" id="report">{packed}</script>')


def milliseconds(seconds):
    return round(seconds * 1000)


def report(play: Play, name, journal="night.sqlite"):
    """The data of a run that was played to its end with its attempts recorded."""
    play.advance(1e12)
    began = play.begin
    record = sorted(play.record, key=lambda entry: entry[4])
    length = milliseconds(play.finished_at - began)
    data = {
        "v": 1, "kind": "report", "software": "0.1.0", "program": "skynet", "name": name,
        "journal": journal,
        "run": "00c0ffee00c0ffee", "began": 1763884929.12, "length": length, "end": play.end,
        "sectors": play.sectors, "completed": play.results, "failed": play.failed,
        "retried": play.retried, "hedged": play.hedged, "passes": list(play.passes), "words": WORDS,
        "processes": [{"began": 0, "ended": length}], "grid": None, "image": None, "sources": None,
        "systems": [
            {"name": system.name, "slots": system.slots, "address": system.address, "version": "0.1.0",
             "presence": [[milliseconds(time - began), kind, note] for time, row, kind, note in play.presence
                          if row == system.row]}
            for system in play.systems],
        "reasons": ["simulated failure"],
        "notices": [[milliseconds(notice["time"] - began), notice["text"], int(notice["fault"])]
                    for notice in play.notices[:2000]],
        "noticesLeftOut": max(0, len(play.notices) - 2000),
        "failures": [
            {"sector": failure["sector"], "pass": failure["pass"], "at": milliseconds(failure["at"] - began),
             "attempts": failure["attempts"],
             "reasons": [[next(system.row for system in play.systems if system.name == reason["system"]), 0]
                         for reason in failure["reasons"]]} for failure in play.failures[:2000]],
        "failuresLeftOut": max(0, len(play.failures) - 2000),
        "summary": summary(play, record, length), "history": history(play, began),
    }
    if play.sectors <= 100_000 and len(record) <= 200_000:
        data["attempts"] = detailed(play, record, began)
    else:
        data["aggregate"] = aggregated(play, record, length)
    return data


def history(play, began):
    """The played run's, at the time at which the report says that it was."""
    told = play.history.told()
    moved = 1763884929.12 - began
    return {**told, "start": told["start"] + moved,
            "marks": [{**mark, "time": mark["time"] + moved} for mark in told["marks"]]}


def detailed(play, record, began):
    starts = [milliseconds(entry[4] - began) for entry in record]
    return {
        "began": [start - before for start, before in zip(starts, [0, *starts])],
        "took": [milliseconds(entry[5] - entry[4]) for entry in record],
        "sector": [entry[0] for entry in record], "pass": [entry[1] for entry in record],
        "attempt": [entry[2] for entry in record], "system": [entry[3] for entry in record],
        "ends": [int(entry[6] == DONE and entry[1] + 1 == play.passes_of(entry[0])) for entry in record],
        "ending": [entry[6] for entry in record], "hedge": [entry[7] for entry in record],
        "reason": [entry[8] for entry in record]}


def aggregated(play, record, length):
    buckets = 900
    step = max(1, -(-length // buckets))
    per_cell = max(-(-play.sectors // (131_072 // len(play.passes))), -(-play.sectors // 65_536))
    count = -(-play.sectors // per_cell)
    cells = []
    for number in range(len(play.passes)):
        began, ends, system = [-1] * count, [[] for _ in range(count)], [0xFFFF] * count
        for sector, of_pass, _, row, start, end, ending, *_ in record:
            if of_pass != number:
                continue
            cell = sector // per_cell
            start, end = (milliseconds(time - play.begin) // step for time in (start, end))
            began[cell] = start if began[cell] < 0 else min(began[cell], start)
            if ending == DONE:
                ends[cell].append(end)
                system[cell] = row
        cells.append({
            "began": began, "middle": [sorted(all)[len(all) // 2] if all else -1 for all in ends],
            "ended": [max(all) if all else -1 for all in ends], "done": [len(all) for all in ends],
            "failed": 0, "system": system})
    width = max(60, min(600, 60_000 // len(play.systems)))
    span = max(1, -(-length // width))
    timeline = [{"done": [0] * width, "failed": [0] * width, "lost": [0] * width, "withdrawn": 0,
                 "busy": [0] * width} for _ in play.systems]
    for _, _, _, row, start, end, ending, *_ in record:
        at = min(width - 1, milliseconds(end - play.begin) // span)
        name = {DONE: "done", FAILED: "failed", LOST: "lost"}.get(ending)
        if name:
            timeline[row][name][at] += 1
        timeline[row]["busy"][at] += round(10 * 1000 * (end - start) / span)
    return {"step": step, "buckets": buckets, "sectorsPerCell": per_cell, "cells": cells,
            "timeline": timeline, "timelineBuckets": width, "timelineStep": span}


def summary(play, record, length):
    busy = sum(entry[5] - entry[4] for entry in record)
    wasted = sum(entry[5] - entry[4] for entry in record if entry[6] != DONE)
    slots = sum(system.slots for system in play.systems)
    slowest = sorted(record, key=lambda entry: entry[4] - entry[5])[:20]
    return {
        "makespan": length, "ideal": milliseconds((busy - wasted) / slots),
        "idealText": "all results, spread evenly over all slots, and nothing in vain.",
        "busy": milliseconds(busy), "wasted": milliseconds(wasted),
        "idle": max(0, slots * length - milliseconds(busy)),
        "reading": ["b was gone at 12 s, with 4 attempts.", "20 attempts ended without an output."],
        "slowestSectors": [
            {"sector": entry[0], "pass": entry[1], "attempt": entry[2], "system": entry[3],
             "at": milliseconds(entry[4] - play.begin), "took": milliseconds(entry[5] - entry[4])} for entry in slowest],
        "systems": [
            {"system": system.row, "tasks": system.tasks, "retried": system.retried,
             "mean": milliseconds(system.scan_seconds / max(1, system.tasks)), "slowest": milliseconds(max(
                 (entry[5] - entry[4] for entry in record if entry[3] == system.row and entry[6] == DONE),
                 default=0)),
             "busy": milliseconds(system.scan_seconds), "present": length,
             "idle": max(0, system.slots * length - milliseconds(system.scan_seconds))}
            for system in play.systems],
        "retries": [{"sector": entry["sector"], "pass": entry["pass"], "attempts": entry["attempts"],
                     "done": False, "at": milliseconds(entry["at"] - play.begin)} for entry in play.failures[:20]],
        "reasons": [{"reason": 0, "count": sum(entry[6] == FAILED for entry in record)}]}
