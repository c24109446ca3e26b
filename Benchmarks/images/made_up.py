#!/usr/bin/env python3
"""Draws an image that is hard to deblend.

    made_up.py crowded|galaxies OUT.fits

crowded: 50,000 stars with Moffat profiles on 2048 x 2048 pixels, most of them faint. galaxies: a spiral
that fills most of its 1024 x 1024 pixels, with knots on its arms, among 600 elliptical ones. The image is
the same each time.
"""
import sys

import numpy
from astropy.io import fits


def add(image, x, y, profile, reach):
    """Adds a profile of the offsets from a centre, as far as it reaches."""
    height, width = image.shape
    if not (-reach < x < width + reach and -reach < y < height + reach):
        return
    rows = slice(max(0, int(y - reach)), min(height, int(y + reach) + 1))
    columns = slice(max(0, int(x - reach)), min(width, int(x + reach) + 1))
    dy, dx = numpy.mgrid[rows, columns]
    image[rows, columns] += profile(dx - x, dy - y)


def moffat(flux, width=2.0, beta=3.0):
    peak = flux * (beta - 1) / (numpy.pi * width**2)
    return lambda dx, dy: peak * (1 + (dx * dx + dy * dy) / width**2) ** -beta


def exponential(flux, scale, ratio, angle):
    cos, sin = numpy.cos(angle), numpy.sin(angle)
    peak = flux / (2 * numpy.pi * scale**2 * ratio)
    return lambda dx, dy: peak * numpy.exp(
        -numpy.hypot(dx * cos + dy * sin, (dy * cos - dx * sin) / ratio) / scale)


def crowded(random):
    image = numpy.full((2048, 2048), 1000.0)
    fluxes = 800 / random.uniform(0.005, 1, 50_000)
    for flux, x, y in zip(fluxes, random.uniform(0, 2047, 50_000), random.uniform(0, 2047, 50_000)):
        add(image, x, y, moffat(flux), 12 if flux < 10_000 else 40)
    return image


def galaxies(random):
    image = numpy.full((1024, 1024), 500.0)
    dy, dx = numpy.mgrid[:1024, :1024] - 512.0
    radius, angle = numpy.hypot(dx, dy * 1.3), numpy.arctan2(dy * 1.3, dx)
    arms = 1 + 0.8 * numpy.cos(2 * angle - 4 * numpy.log(radius + 5))
    image += 300 * numpy.exp(-radius / 110) * arms + 3000 * numpy.exp(-radius / 12)
    for _ in range(400):
        r, turn = random.exponential(150), random.integers(2) * numpy.pi
        a = (4 * numpy.log(r + 5) / 2 + turn) + random.normal(0, 0.15)
        add(image, 512 + r * numpy.cos(a), 512 + r * numpy.sin(a) / 1.3,
            moffat(random.exponential(3000)), 15)
    for _ in range(600):
        scale = random.uniform(1.5, 6)
        add(image, *random.uniform(0, 1023, 2), exponential(
            1500 / random.uniform(0.01, 1), scale, random.uniform(0.3, 1), random.uniform(0, 3.14)),
            12 * scale)
    return image


random = numpy.random.default_rng(17)
image = {"crowded": crowded, "galaxies": galaxies}[sys.argv[1]](random)
noise = numpy.sqrt(image)
pixels = numpy.clip(numpy.rint(image + noise * random.standard_normal(image.shape)), 0, 32767)
fits.PrimaryHDU(pixels.astype(numpy.int16)).writeto(sys.argv[2], overwrite=True)
