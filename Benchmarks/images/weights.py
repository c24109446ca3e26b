#!/usr/bin/env python3
"""Draws a weight map for an image: an exposure that grows from left to right, with bad columns, blocks and pixels.

    weights.py IMAGE OUT.fits
"""
import sys

import numpy
from astropy.io import fits

import hard_fields
from agreement import image_of


def main(image, path):
    random = numpy.random.default_rng(17)
    height, width = image_of(image)[0].shape
    weights = 0.3 + 1.5 * numpy.tile(numpy.linspace(0, 1, width), (height, 1))
    for mark in hard_fields.bad_columns, hard_fields.bad_blocks, hard_fields.bad_pixels:
        mark(random, weights)
    fits.writeto(path, weights.astype("f4"))


if __name__ == "__main__":
    main(*sys.argv[1:])
