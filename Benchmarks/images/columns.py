#!/usr/bin/env python3
"""Compares the catalogues of `skynet sex` with SExtractor's, column by column, and SExtractor's with its own.

    columns.py SKYNET ALL SHARES [IMAGE...]

The columns are those that `skynet sex -dp` prints. They are compared on the IMAGEs and on made-up fields with a
gain, with weights and with padded edges, each with CLEAN N and Y. SExtractor does not know the plate solutions of
the Digitized Sky Survey: of such an image, columns are left out that depend on its place in the sky.
`agreement.py` says when a source agrees. The floor is the lowest of the three shares in which SExtractor agrees
with itself on the image mirrored in x, in y, and in both. A share is BELOW if it is under the floor by more than a
point, or two standard errors where that is more.

Prints a line for each share that is BELOW, and for each other column the one that is least above its floor; if ALL
is not empty, all. If SHARES is not empty, that file gets the latter line of each column, for `docs/sextractor.md`.
Exit status 1: a share is BELOW, or a column has another unit than SExtractor's.
"""
import concurrent.futures
import os
import re
import sys
import tempfile
from typing import NamedTuple

import numpy
from astropy.io import fits

import sextractor
from agreement import agreement, mirrored, sky
from hard_fields import FIELDS

# What is not compared by its value.
EXCEPTIONS = {
    "NUMBER": "counts the sources in SExtractor's order, which changes with its buffers: not compared",
    "ID_PARENT": "counts in that order too: agrees if the same sources have one parent",
    "DURATION_ANALYSIS": "is a time: not compared",
}
NOT_COMPARED = ("NUMBER", "DURATION_ANALYSIS")
OF_SKY = "WORLD|_SKY|J2000|B1950|^MU_|CLASS_STAR"
SIZES = {"APER": "(3)", "RADIUS": "(3)", "VIGNET": "(11,11)"}
SETTINGS = {
    "PHOT_APERTURES": "4,8,17", "PHOT_FLUXFRAC": "0.2,0.5,0.8", "MAG_ZEROPOINT": "25",
    # SExtractor fills its stack of pixels before it begins: a large one takes most of its time.
    "MEMORY_PIXSTACK": "4000000",
    # All rows, so that SExtractor sees each source's neighbours below it, and each mirror image's.
    "MEMORY_BUFSIZE": "4096",
    "STARNNW_NAME": "/usr/share/source-extractor/default.nnw"}
# Fields of `hard_fields.py`.
HARD_FIELDS = ["gain", "weights", "zeros around", "rotated coadd"]


class Case(NamedTuple):
    """`may_refuse` is the keyword that this skynet may not have yet."""
    name: str
    image: str
    weights: str = ""
    settings: dict = {}
    may_refuse: str = ""

    def compared(self, skynet, columns):
        """For each column: how many sources were compared, our share, and the floor."""
        scale = sky(self.image)
        settings = {**SETTINGS, **self.settings}
        if self.weights:
            settings |= {"WEIGHT_TYPE": "MAP_WEIGHT", "WEIGHT_IMAGE": self.weights}
        sized = [column + SIZES.get(column.split("_")[column.count("_") > 0], "") for column in columns]
        with tempfile.TemporaryDirectory() as folder:
            sextractor.configure(folder, sized, settings)
            try:
                ours = sextractor.sexed(skynet, folder, self.image)
            except sextractor.Refusal as refusal:
                if self.may_refuse and self.may_refuse in refusal.said:
                    return None
                raise
            theirs = sextractor.extracted(folder, self.image)
            first, others = mirrored(folder, self.image, self.weights)
        header = fits.getheader(self.image)
        is_plate = "PLTRAH" in header and "CTYPE1" not in header
        names = [column for column in columns
                 if column not in NOT_COMPARED and not (is_plate and re.search(OF_SKY, column))]
        floors = [agreement(first, rows, names, scale) for rows in others]
        return {column: (len(agrees), agrees.mean(), min(floor[column].mean() for floor in floors))
                for column, agrees in agreement(theirs, ours, names, scale).items()}


def margin(row):
    """How far a share is above the least that is required of it."""
    _, _, number, share, floor = row
    return share - floor + max(0.01, 2 * (share * (1 - share) / max(1, number)) ** 0.5)


def cases(folder, images):
    """The images, with CLEAN N and Y; the latter with the header's scale of the pixels."""
    found = []
    for image in images:
        found.append(Case(re.sub(r"\.fits?$", "", os.path.basename(image)), image))
    for name in HARD_FIELDS:
        pixels, weights, cards = FIELDS[name](numpy.random.default_rng(17))
        path = f"{folder}/{name.replace(' ', '-')}.fits"
        fits.writeto(path, pixels, fits.Header(cards))
        if weights is not None:
            fits.writeto(f"{path}.weights", weights)
        found.append(Case(name, path, "" if weights is None else f"{path}.weights"))
    for case in found[:len(images) + 1]:
        found.append(case._replace(
            name=f"{case.name}, LOCAL", settings={"BACKPHOTO_TYPE": "LOCAL"}, may_refuse="BACKPHOTO_TYPE"))
    return [case._replace(name=f"{case.name}{', clean' if clean == 'Y' else ''}",
                          settings={**case.settings, "CLEAN": clean, "PIXEL_SCALE": 0.4 if clean == "N" else 0})
            for case in found for clean in "NY"]


def write(path, rows, columns):
    """Writes each column's share that is least above what is required, with its floor and image."""
    least = {row[0]: row for row in sorted(rows, key=margin, reverse=True)}
    with open(path, "w", encoding="utf-8") as file:
        for column in columns:
            if column in least:
                _, name, _, share, floor = least[column]
                file.write(f"{column}\t{100 * share:.1f}\t{100 * floor:.1f}\t{name}\n")


def main(skynet, all_shares, shares_file, *images):
    units = sextractor.columns(skynet, "sex")
    others = {column: (unit, sextractor.columns().get(column)) for column, unit in units.items()
              if sextractor.columns().get(column) != unit}
    rows, columns = [], list(units)
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
        drawn = cases(folder, images)
        for case, shares in zip(drawn, threads.map(lambda case: case.compared(skynet, columns), drawn)):
            if shares is None:
                print(f"{case.name}: skipped, {case.may_refuse} is refused", flush=True)
                continue
            rows += [(column, case.name, *shares[column]) for column in shares]
    rows.sort(key=lambda row: (margin(row) >= 0, ["matched", *columns].index(row[0]), margin(row)))
    print(f"{'column':18} {'image':34} {'n':>5} {'ours':>7} {'floor':>7}")
    seen = set()
    for row in rows:
        column, name, number, share, floor = row
        if margin(row) < 0 or column not in seen or all_shares:
            verdict = "BELOW" if margin(row) < 0 else "good"
            print(f"{column:18} {name:34} {number:5} {100 * share:7.2f} {100 * floor:7.2f}  {verdict}")
        seen.add(column)
    print()
    for column in columns:
        if column in EXCEPTIONS:
            print(f"{column}: {EXCEPTIONS[column]}")
    for column, (ours, theirs) in others.items():
        print(f"{column}: its unit is '{ours}', SExtractor's '{theirs}'  BELOW")
    if shares_file:
        write(shares_file, rows, columns)
    below = sum(margin(row) < 0 for row in rows)
    print(f"{below} of {len(rows)} shares are below, of {len(columns)} columns")
    return 1 if below or others else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
