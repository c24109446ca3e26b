#!/usr/bin/env python3
"""Runs PSFEx and SCAMP on the LDAC catalogues of `skynet sex` and of SExtractor, and compares what they make of them.

    psfex_scamp.py SKYNET CONFIGURATION FRAME... -- FRAME

The frames before -- are exposures of one field; SCAMP solves them together, and the one after -- alone. SCAMP's
reference is SExtractor's catalogue of the first frame of each, in a file, so that nothing is fetched: without a
reference (-ASTREF_CATALOG NONE) SCAMP 2.10 ends by signal 11, also with SExtractor's catalogues.

PSFEx: the PSF's width and chi2 must be within 1 %. SCAMP: the exit statuses must be equal, as many sources within
1 %, and the solutions within 0.1 pixels at the centre and the corners. astropy must read the ASCII_HEAD as it reads
the FITS table. Exit status 1: one is not.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy
from astropy.io import ascii as text
from astropy.io import fits
from astropy.io.votable import parse
from astropy.wcs import WCS
from astropy.wcs.utils import pixel_to_skycoord

import sextractor

PSFEX = ["VIGNET(35,35)", "X_IMAGE", "Y_IMAGE", "FLUX_RADIUS", "SNR_WIN", "FLUX_APER(1)", "FLUXERR_APER(1)",
         "ELONGATION", "FLAGS"]
SCAMP = ["XWIN_IMAGE", "YWIN_IMAGE", "ERRAWIN_IMAGE", "ERRBWIN_IMAGE", "ERRTHETAWIN_IMAGE", "FLUX_AUTO",
         "FLUXERR_AUTO", "FLUX_RADIUS", "ELONGATION", "FLAGS"]
REFERENCE = ["X_WORLD", "Y_WORLD", "ERRA_WORLD", "ERRB_WORLD", "ERRTHETA_WORLD", "MAG_AUTO", "MAGERR_AUTO"]
QUIET = ["-CHECKPLOT_DEV", "NULL", "-CHECKPLOT_TYPE", "NONE", "-VERBOSE_TYPE", "QUIET"]
SIDES = ("sex", "skynet")


def lacking(skynet, columns):
    served = sextractor.columns(skynet, "sex")
    return [column for column in columns if column.split("(")[0] not in served]


def name_of(frame):
    return pathlib.Path(frame).stem


class Bench:
    def __init__(self, skynet, configuration, folder):
        self.programs = dict(zip(SIDES, (["source-extractor"], [skynet, "sex"])))
        self.configuration, self.folder, self.good = configuration, pathlib.Path(folder), True

    def catalogue(self, side, frame, columns, ending, kind="FITS_LDAC"):
        """Writes a catalogue into the folder of one side, so that both programs find equal names."""
        place = self.folder / side
        place.mkdir(exist_ok=True)
        (place / "list.param").write_text("\n".join(columns) + "\n")
        sextractor.run(
            *self.programs[side], frame, "-c", self.configuration, "-PARAMETERS_NAME", "list.param", "-CATALOG_NAME",
            f"{name_of(frame)}.{ending}", "-CATALOG_TYPE", kind, "-CLEAN", "Y", "-GAIN", "5", "-PHOT_APERTURES", "10",
            "-PIXEL_SCALE", "0", folder=place)

    def tell(self, what, numbers, is_good):
        print(f"  {what:34} {' '.join(f'{number:>12.6g}' for number in numbers)}  {'good' if is_good else 'BELOW'}",
              flush=True)
        self.good = self.good and bool(is_good)

    def within(self, what, theirs, ours, share=0.01):
        self.tell(what, (theirs, ours), abs(ours - theirs) <= share * abs(theirs))

    def psfex(self, frame):
        found = []
        for side in SIDES:
            self.catalogue(side, frame, PSFEX, "psf.ldac")
            sextractor.run("psfex", f"{name_of(frame)}.psf.ldac", "-CHECKIMAGE_TYPE", "NONE", "-WRITE_XML", "N",
                           *QUIET, folder=self.folder / side)
            found.append(fits.getheader(self.folder / side / f"{name_of(frame)}.psf.psf", 1))
        for what, key in ("PSFEx, stars accepted", "ACCEPTED"), ("PSFEx, FWHM", "PSF_FWHM"), ("PSFEx, chi2", "CHI2"):
            self.within(what, *(header[key] for header in found), 0.05 if key == "ACCEPTED" else 0.01)

    def scamp(self, frames):
        self.catalogue("sex", frames[0], REFERENCE, "reference")
        found = []
        for side in SIDES:
            for frame in frames:
                self.catalogue(side, frame, SCAMP, "ldac")
            done = subprocess.run(
                ["scamp", *(f"{name_of(frame)}.ldac" for frame in frames), "-ASTREF_CATALOG", "FILE",
                 "-ASTREFCAT_NAME", f"../sex/{name_of(frames[0])}.reference", "-ASTREFMAG_KEY", "MAG_AUTO",
                 "-ASTREFMAGERR_KEY", "MAGERR_AUTO", "-MATCH", "N", "-WRITE_XML", "Y", "-XML_NAME", "scamp.xml", *QUIET],
                cwd=self.folder / side, capture_output=True, text=True)
            found.append(done.returncode)
        self.tell("SCAMP, exit status", found, found[0] == found[1])
        if any(found):
            print(done.stderr[-500:])
            return
        tables = [table("scamp.xml", self.folder / side) for side in SIDES]
        for what, column in (("SCAMP, sources between exposures", "AstromNDets_Internal"),
                             ("SCAMP, sources of the reference", "AstromNDets_Reference")):
            self.within(what, *(float(one[column][0]) for one in tables))
        for frame in frames:
            shape = fits.getdata(frame).shape
            theirs, ours = (solution(self.folder / side / f"{name_of(frame)}.head") for side in SIDES)
            x, y = numpy.array([(0.5, 0.5), (0, 0), (0, 1), (1, 0), (1, 1)]).T * [[shape[1]], [shape[0]]]
            apart = pixel_to_skycoord(x, y, theirs).separation(pixel_to_skycoord(x, y, ours)).deg
            pixels = apart.max() / abs(numpy.linalg.det(theirs.pixel_scale_matrix)) ** 0.5
            self.tell("SCAMP, solutions, pixels apart", [0, pixels], pixels <= 0.1)

    def read_by_astropy(self, frame, columns):
        self.catalogue("skynet", frame, columns, "txt", "ASCII_HEAD")
        self.catalogue("skynet", frame, columns, "fits", "FITS_1.0")
        read = text.read(self.folder / "skynet" / f"{name_of(frame)}.txt", format="sextractor")
        rows = fits.getdata(self.folder / "skynet" / f"{name_of(frame)}.fits", 1)
        same = len(read) == len(rows) and read.colnames == list(rows.names) and all(
            numpy.allclose(read[name], rows[name], rtol=1e-5, atol=0.006) for name in rows.names)
        self.tell("astropy reads ASCII_HEAD, sources", [len(rows), len(read)], same)


def table(name, folder):
    return next(one for one in parse(folder / name, verify="ignore").iter_tables() if one.name == "FGroups").array


def solution(path):
    """SCAMP writes TAN for what is TPV today, and its author's name in UTF-8."""
    lines = path.read_text(encoding="utf-8").splitlines()
    cards = "".join(line[:80].ljust(80) for line in lines if line[8:10] == "= ").replace("---TAN", "---TPV")
    return WCS(fits.Header.fromstring(cards.replace("--TAN", "--TPV")))


def main(skynet, configuration, *words):
    middle = words.index("--")
    exposures, alone = list(words[:middle]), words[middle + 1]
    print(f"  {'':34} {'SExtractor':>12} {'skynet':>12}")
    without = lacking(skynet, PSFEX), lacking(skynet, SCAMP)
    for program, columns in zip(("PSFEx", "SCAMP"), without):
        if columns:
            print(f"{program} is left out: this skynet has no {', '.join(columns)}")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(skynet, configuration, folder)
        for frame in [*exposures, alone]:
            print(os.path.basename(frame))
            if not without[0]:
                bench.psfex(frame)
            if not without[1]:
                bench.read_by_astropy(frame, SCAMP)
        for frames in filter(None, (exposures, [alone])):
            if not without[1]:
                print(", ".join(map(os.path.basename, frames)))
                bench.scamp(frames)
    return 0 if bench.good else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
