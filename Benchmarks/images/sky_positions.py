#!/usr/bin/env python3
"""Compares a catalogue's ALPHA_J2000 and DELTA_J2000 with astropy's conversion of its X_IMAGE and Y_IMAGE.

    sky_positions.py IMAGE CATALOGUE    (a catalogue in CSV, ECSV or FITS)

Prints the largest difference; exit status 1 if it is more than 0.001 arcsec. Catalogues round to 0.0001
pixels, which is more than that where pixels are larger than 10 arcsec.
"""
import sys
import warnings

import numpy
from astropy.coordinates import SkyCoord
from astropy.io import fits
from astropy.table import Table
from astropy.wcs import WCS

LIMIT = 0.001  # arcsec

if len(sys.argv) != 3:
    sys.exit(__doc__)
warnings.simplefilter("ignore")
image, catalogue = sys.argv[1:]
formats = {"csv": "ascii.csv", "ecsv": "ascii.ecsv", "fits": "fits", "fit": "fits"}
table = Table.read(catalogue, format=formats[catalogue.rsplit(".", 1)[-1].lower()])
if "ALPHA_J2000" not in table.colnames:
    sys.exit(f"{catalogue}: has no ALPHA_J2000; its image has no sky positions of J2000")


def column(name):
    return numpy.ma.filled(numpy.ma.asarray(table[name], dtype=float), numpy.nan)


with fits.open(image) as units:
    header = next(unit.header for unit in units if unit.header["NAXIS"] >= 2 and unit.is_image)
    wcs = WCS(header)
pixels = numpy.ones((len(table), wcs.naxis))
pixels[:, 0], pixels[:, 1] = column("X_IMAGE"), column("Y_IMAGE")
world = wcs.all_pix2world(pixels, 1)
theirs = world[:, wcs.wcs.lng], world[:, wcs.wcs.lat]
ours = column("ALPHA_J2000"), column("DELTA_J2000")
here, there = numpy.isfinite(ours[0]), numpy.isfinite(theirs[0])
if (here != there).any():
    sys.exit(f"{catalogue}: {(here != there).sum()} positions are missing, here or in astropy")
difference = SkyCoord(*(axis[here] for axis in ours), unit="deg").separation(
    SkyCoord(*(axis[here] for axis in theirs), unit="deg")
)
largest = difference.arcsec.max() if here.any() else 0
print(f"{here.sum()} positions, largest difference {largest:.6f} arcsec, {LIMIT} allowed")
sys.exit(1 if largest > LIMIT else 0)
