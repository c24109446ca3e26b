#!/usr/bin/env python3
"""Compares a catalogue with that of sep (SExtractor's algorithms as a library), source by source.

    accuracy.py IMAGE CATALOGUE.csv

Both find their own background: mesh 64, filter 3x3; threshold 1.5 x global RMS; kernel
[1 2 1; 2 4 2; 1 2 1]/16; at least 5 pixels; deblending with 32 levels and contrast 0.005; no
cleaning. Prints both counts, and how many of sep's sources, and of those with a signal-to-noise
ratio above 10, have one in the catalogue within 0.1 pixels. Exit status 1: the counts differ by
more than 1 %, or those shares are below 97 % or 99 %.
"""
import csv
import sys

import numpy
import sep
from astropy.io import fits

KERNEL = numpy.array([[1, 2, 1], [2, 4, 2], [1, 2, 1]], numpy.float32)


def reference(path):
    """Positions, counted as FITS does, and signal-to-noise ratios."""
    with fits.open(path) as units:
        unit = next(u for u in units if u.data is not None and u.data.ndim == 2)
        pixels = numpy.ascontiguousarray(unit.data.astype(numpy.float32))
    sep.set_extract_pixstack(10_000_000)
    sep.set_sub_object_limit(10_000)
    background = sep.Background(pixels, bw=64, bh=64, fw=3, fh=3)
    found = sep.extract(
        pixels - background.back(), 1.5, err=background.globalrms, minarea=5,
        filter_kernel=KERNEL, filter_type="conv", deblend_nthresh=32, deblend_cont=0.005,
        clean=False)
    noise = background.globalrms * numpy.sqrt(found["npix"])
    return found["x"] + 1, found["y"] + 1, found["flux"] / noise


def candidates(path):
    with open(path) as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return [[float(row[name]) for row in rows] for name in ("X_IMAGE", "Y_IMAGE")]


def distances(x, y, to_x, to_y):
    """How far the nearest is from each, in pixels; infinite beyond a few."""
    cells = {}
    for at in zip(to_x, to_y):
        cells.setdefault((int(at[0]) // 4, int(at[1]) // 4), []).append(at)
    nearest = []
    for px, py in zip(x, y):
        column, row = int(px) // 4, int(py) // 4
        near = [
            at for i in (-1, 0, 1) for j in (-1, 0, 1) for at in cells.get((column + i, row + j), ())]
        nearest.append(min((numpy.hypot(a - px, b - py) for a, b in near), default=numpy.inf))
    return numpy.array(nearest)


x, y, ratio = reference(sys.argv[1])
to_x, to_y = candidates(sys.argv[2])
hit = distances(x, y, to_x, to_y) < 0.1
bright = ratio > 10
counts = len(to_x) / max(1, len(x))
every = hit.mean() if len(x) else 1.0
strong = hit[bright].mean() if bright.any() else 1.0
good = abs(counts - 1) <= 0.01 and every >= 0.97 and strong >= 0.99
print(
    f"{len(to_x)} sources, reference {len(x)} ({100 * (counts - 1):+.2f} %); within 0.1 px: "
    f"{100 * every:.2f} % of all, {100 * strong:.2f} % of {bright.sum()} with SNR > 10"
    f"{'' if good else '  BELOW'}")
sys.exit(0 if good else 1)
