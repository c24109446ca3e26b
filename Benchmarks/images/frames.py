#!/usr/bin/env python3
"""Makes frames as a survey's camera does: a sky of 1150 with a noise of 5.5, stars and galaxies.

    frames.py FOLDER COUNT WIDTH HEIGHT

The levels, the noise, and the numbers and fluxes of the sources are those of frames of the Sloan Digital Sky
Survey (2048 x 1489 pixels, 16 bits, some 550 sources). Each frame has sky coordinates. A number makes the same
frame each time: FOLDER/frame-0000.fits, frame-0001.fits, …
"""
import sys

import numpy

SKY, NOISE = 1150.0, 5.5
# Sources per pixel, down to the faintest that SExtractor finds.
DENSITY = 1450 / (2048 * 1489)


def fluxes(random, count):
    """Half of those that are found are fainter than 500, and one in ten is brighter than 10,000."""
    return numpy.minimum(50 * random.uniform(size=count) ** (-1 / 0.6), 1e6)


def star(flux, dx, dy):
    """A Moffat profile with a width (FWHM) of 3.5 pixels and beta = 3."""
    width = 3.5 / (2 * numpy.sqrt(2 ** (1 / 3) - 1))
    return 2 * flux / (numpy.pi * width**2) * (1 + (dx * dx + dy * dy) / width**2) ** -3.0


def galaxy(random):
    """An exponential disk, seen through the same air."""
    scale, ratio, angle = random.uniform(1.2, 4), random.uniform(0.3, 1), random.uniform(0, numpy.pi)
    cos, sin = numpy.cos(angle), numpy.sin(angle)

    def profile(flux, dx, dy):
        radius = numpy.hypot(dx * cos + dy * sin, (dy * cos - dx * sin) / ratio)
        return flux / (2 * numpy.pi * scale**2 * ratio) * numpy.exp(-numpy.hypot(radius, 1) / scale)

    return profile


def frame(number, width, height):
    random = numpy.random.default_rng(number)
    rows = numpy.arange(height, dtype=numpy.float32)[:, None]
    image = numpy.full((height, width), SKY, numpy.float32) + rows * numpy.float32(0.5 / height)
    count = random.poisson(DENSITY * width * height)
    places = zip(random.uniform(0, width, count), random.uniform(0, height, count))
    for (x, y), flux in zip(places, fluxes(random, count)):
        profile = galaxy(random) if random.uniform() < 0.4 else star
        # As far as the profile could still be seen.
        reach = int(min(120, 6 + 2 * (flux / NOISE) ** 0.4))
        left, right = max(0, int(x) - reach), min(width, int(x) + reach + 1)
        low, high = max(0, int(y) - reach), min(height, int(y) + reach + 1)
        dy, dx = numpy.mgrid[low:high, left:right]
        image[low:high, left:right] += profile(flux, dx - x, dy - y).astype(numpy.float32)
    noise = random.standard_normal((height, width), dtype=numpy.float32)
    # Photons make noise of their own: the gain is about 5.
    image += noise * numpy.sqrt(NOISE**2 + numpy.maximum(image - SKY, 0) / 5)
    return numpy.clip(numpy.rint(image), 0, 65535).astype(numpy.int64)


def header(number, width, height):
    # A hundredth of a degree between frames, 0.396" a pixel.
    cards = [
        ("SIMPLE", "T"), ("BITPIX", "16"), ("NAXIS", "2"), ("NAXIS1", width), ("NAXIS2", height),
        ("BZERO", "32768.0"), ("BSCALE", "1.0"), ("CTYPE1", "'RA---TAN'"), ("CTYPE2", "'DEC--TAN'"),
        ("CRPIX1", (width + 1) / 2), ("CRPIX2", (height + 1) / 2), ("CRVAL1", 150 + number / 100),
        ("CRVAL2", 2.2), ("CD1_1", -0.00011), ("CD1_2", "0.0"), ("CD2_1", "0.0"), ("CD2_2", 0.00011),
    ]
    text = "".join(f"{name:8}= {value:>20}".ljust(80) for name, value in cards) + "END".ljust(80)
    return text.ljust(-(-len(text) // 2880) * 2880).encode()


if __name__ == "__main__":
    folder = sys.argv[1]
    count, width, height = map(int, sys.argv[2:])
    for number in range(count):
        pixels = (frame(number, width, height) - 32768).astype(">i2").tobytes()
        with open(f"{folder}/frame-{number:04}.fits", "wb") as file:
            file.write(header(number, width, height) + pixels + bytes(-len(pixels) % 2880))
