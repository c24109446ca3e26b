#!/usr/bin/env python3
"""Compares a catalogue with SExtractor's, column by column, and SExtractor's with its own.

    columns.py SKYNET IMAGE CLEAN

CLEAN is Y or N. Prints for each column the share of SExtractor's sources that agree with ours, and the
floor: the lowest of the three shares in which SExtractor agrees with itself on the image mirrored in x, in
y, and in both, each cropped to whole meshes so that all have the same. Positions agree within 0.1 pixels,
as a share of all sources; of those matched within 0.5 pixels values agree within 1 %, THETA_IMAGE within 1
degree, areas and FLAGS if they are equal; counts within 1.5 %. Exit status 1: ours is below the floor by
more than a point, or two standard errors where that is more, in some column, or the counts differ.
"""
import os
import sys
import tempfile

import numpy
from astropy.io import fits

import sextractor

MESH = 64
VALUES = ["FLUX_ISO", "FLUX_APER", "FLUX_AUTO", "KRON_RADIUS", "A_IMAGE", "B_IMAGE"]
EQUAL = ["ISOAREA_IMAGE", "ISOAREAF_IMAGE", "FLAGS"]
COLUMNS = ["X_IMAGE", "Y_IMAGE", *VALUES, "THETA_IMAGE", *EQUAL]


def nearest(rows, others):
    """For each source, the nearest of the others, and its distance."""
    order = numpy.argsort(others["Y_IMAGE"])
    x, y = others["X_IMAGE"][order], others["Y_IMAGE"][order]
    index, distance = numpy.zeros(len(rows["X_IMAGE"]), int), numpy.full(len(rows["X_IMAGE"]), numpy.inf)
    for number, (px, py) in enumerate(zip(rows["X_IMAGE"], rows["Y_IMAGE"])):
        low, high = numpy.searchsorted(y, [py - 1, py + 1])
        if low < high:
            distances = numpy.hypot(x[low:high] - px, y[low:high] - py)
            best = int(distances.argmin())
            index[number], distance[number] = order[low + best], distances[best]
    return index, distance


def agreement(reference, rows):
    """For each column the share that agrees, and of how many."""
    index, distance = nearest(reference, rows)
    near = distance < 0.5
    shares = {"positions": (distance < 0.1).mean()}
    for column in VALUES + ["THETA_IMAGE"] + EQUAL:
        theirs, ours = reference[column][near], rows[column][index[near]]
        if column in VALUES:
            agrees = abs(ours - theirs) <= 0.01 * abs(theirs)
        elif column == "THETA_IMAGE":
            agrees = abs((ours - theirs + 90) % 180 - 90) <= 1
        else:
            agrees = ours == theirs
        shares[column] = agrees.mean()
    return shares, near.sum()


def mirrored(rows, axes, width, height):
    """The catalogue of a mirrored image, put back."""
    rows = dict(rows)
    if "x" in axes:
        rows["X_IMAGE"] = width + 1 - rows["X_IMAGE"]
    if "y" in axes:
        rows["Y_IMAGE"] = height + 1 - rows["Y_IMAGE"]
    if len(axes) == 1:
        rows["THETA_IMAGE"] = -rows["THETA_IMAGE"]
    return rows


def floor(folder, image):
    """The lowest share of each column, and the counts beside the first."""
    with fits.open(image) as units:
        unit = next(unit for unit in units if unit.data is not None and unit.data.ndim == 2)
        pixels, header = unit.data, unit.header
    height, width = (side // MESH * MESH for side in pixels.shape)
    pixels = pixels[:height, :width]
    found = {}
    for axes, flipped in {
            "": pixels, "x": pixels[:, ::-1], "y": pixels[::-1], "xy": pixels[::-1, ::-1]}.items():
        path = f"{folder}/flipped.fits"
        fits.PrimaryHDU(numpy.ascontiguousarray(flipped), header).writeto(
            path, output_verify="silentfix+ignore", overwrite=True)
        found[axes] = mirrored(sextractor.extracted(folder, path), axes, width, height)
    first = found.pop("")
    shares = [agreement(first, rows)[0] for rows in found.values()]
    counts = [len(rows["X_IMAGE"]) / len(first["X_IMAGE"]) - 1 for rows in found.values()]
    return {column: min(one[column] for one in shares) for column in shares[0]}, counts


def main(skynet, image, clean):
    with tempfile.TemporaryDirectory() as folder:
        sextractor.configure(folder, clean, COLUMNS)
        theirs = sextractor.extracted(folder, image)
        ours = sextractor.engaged(skynet, folder, image)
        lowest, counts = floor(folder, image)
    shares, matched = agreement(theirs, ours)
    (our_count, their_count) = (len(ours["X_IMAGE"]), len(theirs["X_IMAGE"]))
    count = our_count / their_count - 1
    good = abs(count) <= 0.015
    print(f"{os.path.basename(image)}, CLEAN {clean}: {our_count} sources, SExtractor {their_count} "
          f"({100 * count:+.2f} %; mirrored {', '.join(f'{100 * c:+.2f}' for c in counts)})"
          f"{'' if good else '  BELOW'}")
    for column, share in shares.items():
        number = their_count if column == "positions" else matched
        allowed = max(0.01, 2 * (share * (1 - share) / max(1, number)) ** 0.5)
        is_below = not share >= lowest[column] - allowed
        good = good and not is_below
        print(f"  {column:15} {100 * share:6.2f}  floor {100 * lowest[column]:6.2f}"
              f"{'  BELOW' if is_below else ''}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
