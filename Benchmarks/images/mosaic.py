"""mosaic.py make FOLDER IMAGES SIDE: writes mosaic.fits, the same packed, and damaged.fits, whose last image is cut
off. mosaic.py compare FOLDER IMAGES: compares the catalogues and check images there."""

import sys
from pathlib import Path

import numpy as np
from astropy.io import fits


def sky(number, side):
    random = np.random.default_rng(number)
    values = random.normal(1000 + number, 5, (side, side))
    y, x = np.mgrid[:side, :side]
    values += 20 * np.sin(x / side) + 10 * y / side
    for _ in range(side * side // 2000):
        column, row = random.uniform(4, side - 4, 2)
        left, top = max(0, int(column) - 12), max(0, int(row) - 12)
        place = (slice(top, top + 25), slice(left, left + 25))
        distance = (x[place] - column) ** 2 + (y[place] - row) ** 2
        values[place] += random.uniform(50, 3000) * np.exp(-distance / 4.5)
    return np.clip(values, 0, 65535).astype(np.uint16)


def make(folder, count, side):
    plain, packed = [fits.PrimaryHDU()], [fits.PrimaryHDU()]
    for number in range(1, count + 1):
        pixels, name = sky(number, side), f"CCD{number}"
        for units, kind, options in (
            (plain, fits.ImageHDU, {}),
            (packed, fits.CompImageHDU, {"compression_type": "RICE_1"}),
        ):
            unit = kind(pixels, name=name, **options)
            unit.header["GAIN"] = 1.5
            unit.header["COMMENT"] = f"image {number}"
            units.append(unit)
    fits.HDUList(plain).writeto(folder / "mosaic.fits")
    fits.HDUList(packed).writeto(folder / "mosaic.fits.fz")
    (folder / "damaged.fits").write_bytes((folder / "mosaic.fits").read_bytes()[:-2880])


def tables(path):
    with fits.open(path) as units:
        return [
            unit.data.copy()
            for unit in units
            if unit.name == "LDAC_OBJECTS"
        ]


def without_number(table):
    return [np.asarray(table[name]).tobytes() for name in table.names if name != "EXT_NUMBER"]


def header_cards(path):
    with fits.open(path) as units:
        return [
            list(np.ravel(unit.data.field(0)))
            for unit in units
            if unit.name == "LDAC_IMHEAD"
        ]


def compare(folder, count):
    faults = []

    def check(is_right, text):
        if not is_right:
            faults.append(text)

    whole = tables(folder / "plain.cat")
    check(len(whole) == count, f"{len(whole)} of {count} tables")
    packed = tables(folder / "packed.cat")
    theirs = tables(folder / "theirs.cat")
    for number in range(1, count + 1):
        own = whole[number - 1]
        alone = tables(folder / f"alone-{number}.cat")[0]
        check(set(own["EXT_NUMBER"]) <= {number}, f"image {number} has other numbers")
        check(without_number(own) == without_number(alone), f"image {number} is not as it is alone")
        check(
            without_number(own) == without_number(packed[number - 1]), f"image {number} is not as packed"
        )
    rows, their_rows = (sum(map(len, many)) for many in (whole, theirs))
    print(f"{rows} rows, SExtractor {their_rows}")
    damaged = tables(folder / "damaged.cat")
    check(len(damaged) == count - 1, f"{len(damaged)} of {count - 1} tables beside a damaged image")
    for ours, rest in zip(whole, damaged):
        check(without_number(ours) == without_number(rest), "a damaged image changes another one's table")

    for ours, other in zip(header_cards(folder / "plain.cat"), header_cards(folder / "theirs.cat")):
        first = [
            [str(card).rstrip() for card in cards[: [str(c)[:8] for c in cards].index("FITSFILE")]]
            for cards in (ours, other)
        ]
        check(first[0] == first[1], "LDAC_IMHEAD has other cards of the image than SExtractor's")

    for kind in ("background", "rms"):
        worst = 0.0
        with (
            fits.open(folder / f"skynet-{kind}.fits") as ours,
            fits.open(folder / f"theirs-{kind}.fits") as other,
            fits.open(folder / "theirs-rms.fits") as noise,
        ):
            check(len(ours) == len(other), f"{kind}: {len(ours)} units, SExtractor has {len(other)}")
            for one, two, unit in zip(ours[1:], other[1:], noise[1:]):
                check(one.name == two.name, f"{kind}: {one.name} is not {two.name}")
                difference = np.abs(one.data - two.data).max() / np.median(unit.data)
                worst = max(worst, float(difference))
        print(f"{kind}: at most {worst:.2g} of the noise apart")
        check(worst <= 1e-3, f"{kind} is {worst:.2g} of the noise apart")
    for fault in faults[:20]:
        print(fault, file=sys.stderr)
    sys.exit(1 if faults else 0)


def main():
    action, folder, count = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    if action == "make":
        make(folder, count, int(sys.argv[4]))
    else:
        compare(folder, count)


main()
