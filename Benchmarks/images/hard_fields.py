"""Made-up images with which a configuration's keywords, weights and bad pixels matter, or whose noise is mostly
zero. Each function returns pixels, weights or None, and cards of the header; the same each time."""
import numpy

from made_up import add, moffat

SIDE = 640
SKY, NOISE = 200.0, 5.0
GARBAGE = {"5000": 5000.0, "0": 0.0}


def fluxes(random, count, faintest):
    """Half of them are fainter than twice the faintest."""
    return faintest / random.uniform(0.003, 1, count)


def stars(random, count=1000, faintest=150.0, side=SIDE):
    """Stars without a sky."""
    image = numpy.zeros((side, side))
    for flux, x, y in zip(fluxes(random, count, faintest), *random.uniform(0, side - 1, (2, count))):
        add(image, x, y, moffat(flux, 1.8), 12 if flux < 20 * faintest else 30)
    return image


def exposed(random, weights):
    """Stars on a sky whose noise follows the weights: 1/variance, in an arbitrary unit."""
    noise = NOISE / numpy.sqrt(numpy.where(weights > 0, weights, 1))
    return SKY + stars(random) + noise * random.standard_normal(weights.shape)


def plain(random, cards=None, **named):
    """`cards` are those of the header where a name stands twice."""
    return exposed(random, numpy.ones((SIDE, SIDE))).astype("f4"), None, cards or named


def bright(random, **cards):
    """Some forty stars' peaks are over 50,000, and some 130 stars' over 20,000."""
    return (SKY + stars(random, faintest=8000.0) + NOISE * random.standard_normal((SIDE, SIDE))).astype(
        "f4"), None, cards


def padded(random, rows, columns):
    """A coadd without a sky, and zeros where there is no data."""
    pixels = numpy.zeros((SIDE, SIDE))
    pixels[rows, columns] = (stars(random, 2000, 30.0) + random.standard_normal((SIDE, SIDE)))[rows, columns]
    return pixels.astype("f4"), None, {}


def split(random):
    """Zeros in the middle, data above and below them."""
    pixels, *others = padded(random, slice(None), slice(None))
    pixels[SIDE * 21 // 100:SIDE * 79 // 100] = 0
    return pixels, *others


def counts(random, sky):
    """Single photons, and stars of a few dozens."""
    return random.poisson(sky + stars(random, 400, 10.0)).astype("f4"), None, {}


def integers(random):
    """A sky of zeros and few ones, in 16 bits."""
    image = stars(random, 400, 10.0) + 0.3 * random.standard_normal((SIDE, SIDE))
    return numpy.rint(image).astype(numpy.int16), None, {}


def constant(random):
    return numpy.full((SIDE, SIDE), 7, "f4"), None, {}


def noiseless(random):
    """Stars on a sky without noise."""
    return numpy.rint(7 + stars(random)).astype("f4"), None, {}


def small(random, side):
    pixels = SKY + stars(random, side * side // 300, side=side) + NOISE * random.standard_normal((side, side))
    return pixels.astype("f4"), None, {}


def weighted(random, **cards):
    """An exposure map that grows from left to right, and is steeper at the top."""
    y, x = numpy.mgrid[:SIDE, :SIDE] / SIDE
    weights = 0.3 + 1.5 * x + y**3
    return exposed(random, weights).astype("f4"), weights.astype("f4"), cards


def bad(random, mark, garbage):
    """Pixels with weight 0, and garbage in them."""
    weights = numpy.ones((SIDE, SIDE))
    mark(random, weights)
    pixels = exposed(random, weights)
    pixels[weights == 0] = garbage
    return pixels.astype("f4"), weights.astype("f4"), {}


def bad_columns(random, weights):
    for left in random.choice(SIDE - 1, 12, replace=False):
        weights[:, left:left + random.integers(1, 3)] = 0


def bad_blocks(random, weights):
    """Blocks wider and higher than what SExtractor interpolates over, some at the left edge."""
    for x in range(0, SIDE, 80):
        for y in range(20, SIDE, 80):
            weights[y:y + 40, x:x + 30] = 0


def bad_pixels(random, weights):
    weights[random.uniform(size=weights.shape) < 0.005] = 0


def rotated(random):
    """A coadd turned by 20 degrees, whose corners have neither data nor weight."""
    y, x = numpy.mgrid[:SIDE, :SIDE] - SIDE / 2
    turn = numpy.radians(20)
    along, across = x * numpy.cos(turn) + y * numpy.sin(turn), y * numpy.cos(turn) - x * numpy.sin(turn)
    weights = ((abs(along) < 0.42 * SIDE) & (abs(across) < 0.42 * SIDE)).astype(float)
    pixels = exposed(random, weights) - SKY
    pixels[weights == 0] = 0
    return pixels.astype("f4"), weights.astype("f4"), {}


def pedestal(random):
    """Noise over a sky that a configuration may take for sources: one component that fills the image, with many
    parts."""
    return (30 + NOISE * random.standard_normal((SIDE, SIDE))).astype("f4"), None, {}


def points(random):
    """Single pixels, and pairs and squares of equal ones, on nothing."""
    pixels = numpy.zeros((SIDE, SIDE), "f4")
    for number, (x, y) in enumerate((x, y) for x in range(16, SIDE, 32) for y in range(16, SIDE, 32)):
        shape = [[(0, 0)], [(0, 0), (1, 1)], [(1, 0), (0, 1)], [(0, 0), (0, 1), (1, 0), (1, 1)]][number % 4]
        for dx, dy in shape:
            pixels[y + dy, x + dx] = 100 + number
    return pixels, None, {}


# A distorted plate solution, and SIP cards that a program has left beside it.
TPV_AND_SIP = {
    "CTYPE1": "RA---TPV", "CTYPE2": "DEC--TPV", "CRPIX1": SIDE / 2, "CRPIX2": SIDE / 2, "CRVAL1": 150.1, "CRVAL2": 2.2,
    "CD1_1": -0.0005, "CD1_2": 1e-6, "CD2_1": 1e-6, "CD2_2": 0.0005, "PV1_1": 1.0, "PV1_2": 0.001, "PV1_4": 0.02,
    "PV2_1": 1.0, "PV2_2": -0.001, "PV2_6": 0.03, "A_ORDER": 2, "A_2_0": 3e-5, "A_0_2": 2e-5, "B_ORDER": 2,
    "B_1_1": 4e-5}

PART, ALL = SIDE * 42 // 100, slice(None)
FIELDS = {
    "plain": plain,
    "bright": bright,
    "gain": lambda random: plain(random, GAIN=1.7, EGAIN=4.5),
    "GAINA alone": lambda random: plain(random, GAINA=1.7),
    "GAINA before GAIN": lambda random: plain(random, GAINA=1.7, GAIN=20.0),
    "two GAIN": lambda random: plain(random, cards=[("GAIN", 1.7), ("GAIN", 20.0)]),
    "TPV and SIP": lambda random: plain(random, **TPV_AND_SIP),
    "pedestal": pedestal,
    "points": points,
    "saturate": lambda random: bright(random, GAIN=1.7, SATURATE=20000.0, MAXLIN=10000.0),
    "zeros above": lambda random: padded(random, slice(PART), ALL),
    "zeros below": lambda random: padded(random, slice(SIDE - PART, None), ALL),
    "zeros right": lambda random: padded(random, ALL, slice(PART)),
    "zeros left": lambda random: padded(random, ALL, slice(SIDE - PART, None)),
    "zeros around": lambda random: padded(random, *2 * (slice(SIDE * 19 // 100, SIDE * 82 // 100),)),
    "zeros in the middle": split,
    "counts of 0.02": lambda random: counts(random, 0.02),
    "counts of 0.3": lambda random: counts(random, 0.3),
    "integers, noise 0.3": integers,
    "constant": constant,
    "no noise": noiseless,
    "40 x 40": lambda random: small(random, 40),
    "500 x 500": lambda random: small(random, 500),
    "weights": lambda random: weighted(random, GAIN=1.7),
    "rotated coadd": rotated,
    **{f"{name} of {value}": lambda random, mark=mark, value=value: bad(random, mark, GARBAGE[value])
       for name, mark in (("columns", bad_columns), ("blocks", bad_blocks), ("pixels", bad_pixels))
       for value in GARBAGE},
}
