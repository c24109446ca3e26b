#!/usr/bin/env python3
"""Compares every mesh of an image's background with SExtractor's.

    meshes.py SKYNET IMAGE

IMAGE has at most 4096 pixels a side. Exit status 1: a level or a noise differs by more than 1e-4 of the noise.
"""
import os
import sys
import tempfile

import numpy

import sextractor


def filtered(grid):
    """The median of each mesh and its neighbours; fewer at the edges, symmetrically."""
    height, width = grid.shape
    result = grid.copy()
    for row in range(height):
        for column in range(width):
            up, side = int(0 < row < height - 1), int(0 < column < width - 1)
            near = grid[row - up:row + up + 1, column - side:column + side + 1]
            result[row, column] = numpy.median(near)
    return result


def main(skynet, image):
    with tempfile.TemporaryDirectory() as folder:
        sextractor.configure(folder, ["NUMBER"], {"CLEAN": "N"})
        theirs = sextractor.meshes(folder, image)
    ours = [filtered(values.reshape(theirs[0].shape)) for values in sextractor.our_meshes(skynet, image)]
    typical = numpy.median(theirs[1])
    worst = [abs(a - b).max() / typical for a, b in zip(ours, theirs)]
    good = max(worst) <= 1e-4
    print(f"{os.path.basename(image)}: {theirs[0].size} meshes, levels within {worst[0]:.1e} and noises "
          f"within {worst[1]:.1e} of the noise{'' if good else '  BELOW'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
