#!/usr/bin/env python3
"""Draws an image that is hard to deblend or to measure, or one like a survey's.

    made_up.py crowded|galaxies|bright|frame OUT.fits

crowded: 50,000 stars with Moffat profiles on 2048 x 2048 pixels, most of them faint. galaxies: a spiral
that fills most of its 1024 x 1024 pixels, with knots on its arms, among 600 elliptical ones. bright: 300
stars on 4096 x 4096 pixels, whose wings are over the sky's noise up to some fifty pixels from their
centres. frame: 1500 stars and galaxies on the 2048 x 1489 pixels of a frame of the Sloan Digital Sky
Survey, with its sky. The image is the same each time.
"""
import sys

import numpy


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


def bright(random):
    image = numpy.full((4096, 4096), 1000.0)
    fluxes = 10 ** random.uniform(5.8, 7.5, 300)
    for flux, x, y in zip(fluxes, random.uniform(0, 4095, 300), random.uniform(0, 4095, 300)):
        add(image, x, y, moffat(flux, 3, 2), 400)
    return image


def frame(random):
    image = numpy.full((1489, 2048), 1100.0)
    fluxes = 500 / random.uniform(0.003, 1, 1500)
    for number, flux in enumerate(fluxes):
        x, y = random.uniform(0, 2047), random.uniform(0, 1488)
        if number % 3 == 0:
            scale = random.uniform(1, 3)
            profile = exponential(flux, scale, random.uniform(0.3, 1), random.uniform(0, 3.14))
            add(image, x, y, profile, 12 * scale)
        else:
            add(image, x, y, moffat(flux), 40)
    return image


def write(pixels, path):
    """Writes 16-bit integers as FITS does: cards of 80 characters, blocks of 2880 bytes."""
    height, width = pixels.shape
    values = [("SIMPLE", "T"), ("BITPIX", 16), ("NAXIS", 2), ("NAXIS1", width), ("NAXIS2", height)]
    header = "".join(f"{name:8}= {value:>20}".ljust(80) for name, value in values) + "END".ljust(80)
    with open(path, "wb") as file:
        file.write(header.ljust(-(-len(header) // 2880) * 2880).encode())
        file.write(pixels.astype(">i2").tobytes())
        file.write(bytes(-file.tell() % 2880))


def main(name, path):
    random = numpy.random.default_rng(17)
    # The number of a frame's electrons per count makes its noise smaller than that of the others.
    draw, gain = {"crowded": (crowded, 1), "galaxies": (galaxies, 1), "bright": (bright, 1),
                  "frame": (frame, 40)}[name]
    image = draw(random)
    noise = numpy.sqrt(image / gain)
    pixels = numpy.clip(numpy.rint(image + noise * random.standard_normal(image.shape)), 0, 32767)
    write(pixels.astype(numpy.int16), path)


if __name__ == "__main__":
    main(*sys.argv[1:])
