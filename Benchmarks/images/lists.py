#!/usr/bin/env python3
"""Compares the processor time of `skynet sex` with SExtractor's for the public lists of columns that skynet has.

    lists.py SKYNET IMAGE CONFIGURATION NETWORK FOLDER ROUNDS

FOLDER has columns-asked.tsv (`pipelines.py`). Both commands have one core, and the same words; user and system time
of all processes; runs in turns. Each list has as many apertures, and fractions of the flux, as its longest vector.
Prints a line a list, and the median and the largest of their ratios. Lists with the same columns count once.
"""
import os
import pathlib
import re
import statistics
import sys

import sextractor
from frame_costs import adopt, costs, line
from pipelines import bare, table

TARGET = 0.6


def main(skynet, image, configuration, network, folder, rounds):
    served = sextractor.columns(skynet, "sex")
    lists = {}
    for name, text in table(pathlib.Path(folder) / "columns-asked.tsv").items():
        asked = tuple(dict.fromkeys(text.split()))
        if all(bare(column) in served for column in asked):
            lists.setdefault(asked, name)
    adopt()
    # For all processes that this one starts.
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    medians = []
    for asked, name in lists.items():
        pathlib.Path("list.param").write_text("\n".join(asked) + "\n")
        sizes = [int(size) for column in asked for size in re.findall(r"(?:_APER|_RADIUS)\((\d+)\)", column)]
        count = max([1, *sizes])
        words = [
            image, "-c", configuration, "-PARAMETERS_NAME", "list.param", "-CATALOG_TYPE", "FITS_LDAC",
            "-STARNNW_NAME", network, "-CLEAN", "Y", "-PHOT_APERTURES", ",".join(str(3 + 2 * n) for n in range(count)),
            "-PHOT_FLUXFRAC", ",".join(f"{(n + 1) / (count + 1):.3f}" for n in range(count))]
        ratios, milliseconds = costs(
            int(rounds),
            [skynet, "sex", *words, "-CATALOG_NAME", "ours.cat"],
            ["source-extractor", *words, "-CATALOG_NAME", "theirs.cat"])
        medians.append(statistics.median(ratios))
        print(line(f"{name}, {len(asked)} columns", ratios, milliseconds, TARGET), flush=True)
    if medians:
        print(f"{len(medians)} lists: median {statistics.median(medians):.2f}, at most {max(medians):.2f}, "
              f"to reach {TARGET}")
    else:
        print("no list is whole")


if __name__ == "__main__":
    main(*sys.argv[1:])
