#!/usr/bin/env python3
"""Writes what sep makes of an image, for the test that scans over sep's own background.

    sep_maps.py IMAGE FOLDER

FOLDER/NAME.level.fits and NAME.noise.fits, its background and the noise it detects by, each a
32-bit image; and NAME.csv, the sources over them: position from 1, pixels, fluxes, and whether the
source was parted from others.
"""
import csv, os, sys
import numpy as np, sep
from astropy.io import fits

path, folder = sys.argv[1:]
name = os.path.basename(path)
with fits.open(path) as units:
    image = next(u.data for u in units if u.data is not None and u.data.ndim == 2)
image = np.ascontiguousarray(image.astype(np.float32))
sep.set_extract_pixstack(10_000_000)
sep.set_sub_object_limit(10_000)
background = sep.Background(image, bw=64, bh=64, fw=3, fh=3)
level = background.back()
noise = np.full_like(level, background.globalrms)
kernel = np.array([[1, 2, 1], [2, 4, 2], [1, 2, 1]], np.float32)
over = image - level
sources = sep.extract(
    over, 1.5, err=background.globalrms, minarea=5, filter_kernel=kernel, filter_type="conv",
    deblend_nthresh=32, deblend_cont=0.005, clean=False)
aperture, _, _ = sep.sum_circle(over, sources["x"], sources["y"], 2.5, subpix=5)
for kind, plane in (("level", level), ("noise", noise)):
    fits.writeto(os.path.join(folder, f"{name}.{kind}.fits"), plane, overwrite=True)
with open(os.path.join(folder, f"{name}.csv"), "w", newline="") as file:
    rows = csv.writer(file)
    for source, flux in zip(sources, aperture):
        parted = int(bool(source["flag"] & sep.OBJ_MERGED))
        rows.writerow(
            [repr(float(v)) for v in (source["x"] + 1, source["y"] + 1)]
            + [source["npix"], repr(float(source["flux"])), repr(float(flux)), parted])
