#!/usr/bin/env python3
"""Writes sep's results for an image, for the test that scans over sep's own background.

    sep_maps.py IMAGE FOLDER

Writes FOLDER/NAME.level.fits and NAME.noise.fits, the background and the noise for detection, each a
32-bit image; and NAME.csv, the sources over them: position from 1, pixels, fluxes, whether the source
was deblended, and whether other sources have pixels in its aperture.
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
def extract(area):
    return sep.extract(
        over, 1.5, err=background.globalrms, minarea=area, filter_kernel=kernel, filter_type="conv",
        deblend_nthresh=32, deblend_cont=0.005, clean=False, segmentation_map=True)


sources, owners = extract(5)
# Components that are too small to be a source still take pixels from others.
small = (extract(1)[1] > 0) & (owners == 0)
aperture, _, flags = sep.sum_circle(
    over, sources["x"], sources["y"], 2.5, subpix=5, mask=small, segmap=owners,
    seg_id=np.arange(1, len(sources) + 1, dtype=np.int32))
for kind, plane in (("level", level), ("noise", noise)):
    fits.writeto(os.path.join(folder, f"{name}.{kind}.fits"), plane, overwrite=True)
with open(os.path.join(folder, f"{name}.csv"), "w", newline="") as file:
    rows = csv.writer(file)
    for source, flux, flag in zip(sources, aperture, flags):
        parted = int(bool(source["flag"] & sep.OBJ_MERGED))
        shared = int(bool(flag & sep.APER_HASMASKED))
        rows.writerow(
            [repr(float(v)) for v in (source["x"] + 1, source["y"] + 1)]
            + [source["npix"], repr(float(source["flux"])), repr(float(flux)), parted, shared])
