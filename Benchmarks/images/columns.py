#!/usr/bin/env python3
"""Compares a catalogue with SExtractor's, column by column, and SExtractor's with its own.

    columns.py SKYNET IMAGE CLEAN

CLEAN is Y or N. Prints for each column the share of SExtractor's sources that agree with ours, and the
floor: the lowest of the three shares in which SExtractor agrees with itself on the image mirrored in x, in
y, and in both. `agreement.py` says when a source agrees; counts do within 1.5 %. Exit status 1: ours is below
the floor by more than a point, or two standard errors where that is more, in some column, or the counts differ.
"""
import os
import sys
import tempfile

import sextractor
from agreement import agreement, mirrored

COLUMNS = ["FLUX_ISO", "FLUX_APER", "FLUX_AUTO", "KRON_RADIUS", "A_IMAGE", "B_IMAGE", "THETA_IMAGE",
           "ISOAREA_IMAGE", "ISOAREAF_IMAGE", "FLAGS"]


def main(skynet, image, clean):
    with tempfile.TemporaryDirectory() as folder:
        sextractor.configure(folder, ["X_IMAGE", "Y_IMAGE", *COLUMNS], {"CLEAN": clean})
        theirs = sextractor.extracted(folder, image)
        ours = sextractor.engaged(skynet, folder, image)
        first, others = mirrored(folder, image)
    floors = [agreement(first, rows, COLUMNS) for rows in others]
    counts = [len(rows["X_IMAGE"]) / len(first["X_IMAGE"]) - 1 for rows in others]
    (our_count, their_count) = (len(ours["X_IMAGE"]), len(theirs["X_IMAGE"]))
    count = our_count / their_count - 1
    good = abs(count) <= 0.015
    print(f"{os.path.basename(image)}, CLEAN {clean}: {our_count} sources, SExtractor {their_count} "
          f"({100 * count:+.2f} %; mirrored {', '.join(f'{100 * c:+.2f}' for c in counts)})"
          f"{'' if good else '  BELOW'}")
    for column, agrees in agreement(theirs, ours, COLUMNS).items():
        share, lowest = agrees.mean(), min(floor[column].mean() for floor in floors)
        allowed = max(0.01, 2 * (share * (1 - share) / max(1, len(agrees))) ** 0.5)
        is_below = not share >= lowest - allowed
        good = good and not is_below
        print(f"  {column:15} {100 * share:6.2f}  floor {100 * lowest:6.2f}"
              f"{'  BELOW' if is_below else ''}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
