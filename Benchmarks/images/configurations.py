#!/usr/bin/env python3
"""Compares catalogues with SExtractor's, over images, weights and configurations where a program easily differs.

    configurations.py SKYNET [IMAGE...]

A line a case: the sources of both programs; the share of the longer catalogue that matches the other one within
0.5 pixels; and for each column the share of SExtractor's sources that agree with ours (`agreement.py`). The
figure in brackets is the floor: the lowest share for which SExtractor agrees with itself on the mirrored image.
A * marks a share below its floor by more than two standard errors of the difference.

A keyword has three cases: absent; with its default written out, which must make our same bytes; and with another
value, which must make another catalogue of SExtractor's, and which skynet may refuse where the table says so.
Further cases are values that name environment variables, weights that are given twice, and odd headers.
IMAGEs are real images, on which the keywords take turns. Exit status 1: a case is BELOW.
"""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
from typing import NamedTuple

import numpy
from astropy import log
from astropy.io import fits

import sextractor
from agreement import agreement, mirror, mirrored, nearest, sky
from hard_fields import FIELDS

COLUMNS = ["X_IMAGE", "Y_IMAGE", "FLUX_ISO", "FLUXERR_ISO", "FLAGS", "ISOAREA_IMAGE"]
# Of the name of a case.
WIDTH = 43


class Case(NamedTuple):
    """A field of `hard_fields.py` or a real image, and a configuration. `columns` are compared, too. Those of `exact`
    must be equal: their numbers are others for a mirrored image."""
    name: str
    field: str
    settings: dict = {}
    absent: tuple = ()
    columns: tuple = ()
    is_default: bool = False
    may_refuse: bool = False
    exact: tuple = ()


# What the cases of variables name.
VARIABLES = {"CASE_NUMBER": "25.5", "CASE_DIGIT": "5", "CASE_TYPE": "MAP_WEIGHT", "CASE_NAME": "weight"}
VARIABLE_CASES = [
    Case("MAG_ZEROPOINT $NUMBER", "plain", {"MAG_ZEROPOINT": "$CASE_NUMBER"}, (), ("MAG_AUTO",)),
    Case("MAG_ZEROPOINT 2${DIGIT}.5", "plain", {"MAG_ZEROPOINT": "2${CASE_DIGIT}.5"}, (), ("MAG_AUTO",)),
    Case('DETECT_MINAREA "$DIGIT"', "plain", {"DETECT_MINAREA": '"$CASE_DIGIT"'}),
    Case("PHOT_APERTURES $DIGIT,9", "plain", {"PHOT_APERTURES": "$CASE_DIGIT,9"}, (), ("FLUX_APER",)),
    Case("WEIGHT_TYPE $TYPE", "weights", {"WEIGHT_TYPE": "$CASE_TYPE", "WEIGHT_IMAGE": "${CASE_NAME}.fits"}),
    Case("MAG_ZEROPOINT $UNSET", "plain", {"MAG_ZEROPOINT": "$CASE_UNSET"}),
    Case("BACK_SIZE 040", "plain", {"BACK_SIZE": "040"}, may_refuse=True),
]
TWICE = {"WEIGHT_TYPE": "MAP_WEIGHT,MAP_WEIGHT", "WEIGHT_IMAGE": "weight.fits,weight.fits"}
ALL_TWICE = {"INTERP_TYPE": "ALL,ALL", "INTERP_MAXXLAG": "16,16", "INTERP_MAXYLAG": "16,16"}
TWICE_CASES = [
    Case("weights twice", "weights", TWICE, (), ("FLUX_AUTO",)),
    Case("weights twice, a threshold once", "weights", {**TWICE, "WEIGHT_THRESH": "0.9"}, may_refuse=True),
    *[Case(f"{field} twice{words}", field, {**TWICE, **settings}, (), ("FLUX_AUTO",), may_refuse=not settings)
      for field in ("columns of 5000", "pixels of 5000")
      for words, settings in (("", {}), (", and INTERP_TYPE", ALL_TWICE), (", INTERP_TYPE NONE", {"INTERP_TYPE": "NONE"}))],
]
# All that is more than 0 is a source.
MANUAL = {"BACK_TYPE": "MANUAL", "BACK_VALUE": "0"}
ODD_CASES = [
    Case("SATUR_KEY SATUR", "saturate", {"SATUR_KEY": "SATUR", "SATUR_LEVEL": "30000"}),
    Case("TPV and SIP, positions", "TPV and SIP", {}, (), ("ALPHA_J2000", "DELTA_J2000")),
    *[Case(f"ID_PARENT, DETECT_MAXAREA {area}, CLEAN {clean}", "plain", {"DETECT_MAXAREA": area, "CLEAN": clean},
           exact=("ID_PARENT",)) for area in (0, 30) for clean in "NY"],
    Case("THETA_IMAGE of single pixels", "points",
         {**MANUAL, "FILTER": "N", "DETECT_MINAREA": 1, "THRESH_TYPE": "ABSOLUTE", "DETECT_THRESH": 10,
          "ANALYSIS_THRESH": 10}, exact=("THETA_IMAGE",)),
    Case("a component that fills the image", "pedestal", MANUAL),
]

FIELD_CASES = [
    Case(name, name) for name in FIELDS if not name.startswith(("columns", "blocks", "pixels", "points"))] + [
    Case("an image that is one mesh", "plain", {"BACK_SIZE": 640}),
    Case("an image smaller than a mesh", "500 x 500", {"BACK_SIZE": 640}),
    Case("INTERP_TYPE VAR_ONLY", "columns of 5000", {"INTERP_TYPE": "VAR_ONLY"}, may_refuse=True),
]

# Keyword, default, another value; the field; the lines beside it.
KEYWORDS = [
    ("ANALYSIS_THRESH", "1.5", "5", "plain", {"DETECT_THRESH": 3}),
    ("DETECT_THRESH", "1.5", "4", "plain", {"ANALYSIS_THRESH": 3}),
    ("DETECT_MINAREA", "5", "20", "plain", {}),
    ("FILTER", "Y", "N", "plain", {}),
    ("FILTER_NAME", "default.conv", "other.conv", "plain", {}),
    ("DEBLEND_NTHRESH", "32", "2", "plain", {}),
    ("DEBLEND_MINCONT", "0.005", "0.3", "plain", {}),
    ("CLEAN", "Y", "N", "plain", {}),
    ("CLEAN_PARAM", "1.0", "0.3", "plain", {}),
    ("PHOT_APERTURES", "5", "9", "plain", {}),
    ("PHOT_AUTOPARAMS", "2.5, 3.5", "1.5, 2.0", "plain", {}),
    ("GAIN", "0.0", "4", "plain", {}),
    ("GAIN_KEY", "GAIN", "EGAIN", "gain", {"GAIN": 10}),
    ("SATUR_LEVEL", "50000.0", "20000", "bright", {}),
    ("SATUR_KEY", "SATURATE", "MAXLIN", "saturate", {"SATUR_LEVEL": 30000}),
    ("BACK_SIZE", "64", "32", "plain", {}),
    ("BACK_SIZE", "64", "64,32", "plain", {}),
    ("BACK_TYPE", "AUTO", "MANUAL", "plain", {"BACK_VALUE": 199}),
    ("BACK_FILTERSIZE", "3", "5", "plain", {}),
    ("BACK_FILTTHRESH", "0.0", "1.0", "plain", {}),
    ("BACKPHOTO_TYPE", "GLOBAL", "LOCAL", "plain", {}),
    ("PARAMETERS_NAME", "default.param", "other.param", "plain", {}),
    ("WEIGHT_TYPE", "NONE", "MAP_WEIGHT", "weights", {}),
    ("WEIGHT_IMAGE", "weight.fits", "other.fits", "weights", {}),
    ("WEIGHT_GAIN", "Y", "N", "weights", {}),
    ("RESCALE_WEIGHTS", "Y", "N", "weights", {}),
    ("WEIGHT_THRESH", "", "0.9", "weights", {}),
    ("THRESH_TYPE", "RELATIVE", "ABSOLUTE", "plain", {}),
    ("DETECT_MAXAREA", "0", "50", "plain", {}),
    ("MASK_TYPE", "CORRECT", "NONE", "plain", {}),
    ("PHOT_AUTOAPERS", "0.0,0.0", "0.0,20.0", "plain", {}),
    *[("INTERP_TYPE", "ALL", "NONE", field, {}) for field in FIELDS
      if field.startswith(("columns", "blocks", "pixels", "rotated"))],
]
# Others that SkyNet may refuse.
WITHOUT_COUNTERPART = [
    ("INTERP_MAXXLAG", "16", "1", "blocks of 5000", {}),
    ("INTERP_MAXYLAG", "16", "1", "blocks of 5000", {}),
    ("DETECT_TYPE", "CCD", "PHOTO", "plain", {}),
    ("FITS_UNSIGNED", "N", "Y", "integers, noise 0.3", {}),
]
COMPARED_TOO = {"PHOT_APERTURES": ("FLUX_APER",), "PHOT_AUTOPARAMS": ("FLUX_AUTO",), "MASK_TYPE": ("FLUX_APER",),
                "PHOT_AUTOAPERS": ("FLUX_AUTO",)}
# What a configuration needs for a catalogue that can be compared.
NEEDED = ["CATALOG_TYPE", "PARAMETERS_NAME", "FILTER_NAME", "MEMORY_OBJSTACK", "MEMORY_PIXSTACK", "VERBOSE_TYPE"]


def short(field):
    return os.path.basename(field).removesuffix(".fits").removesuffix(".fit")


def keyword_cases(keyword, default, other, field, settings, may_refuse=False):
    columns = COMPARED_TOO.get(keyword, ())
    where = f", {short(field)}" if keyword == "INTERP_TYPE" or os.path.isabs(field) else ""
    return [
        Case(f"{keyword} absent{where}", field, settings, (keyword,), columns),
        Case(f"  {default or 'without a value'}", field, {**settings, keyword: default}, (), columns, is_default=True),
        Case(f"  {other}", field, {**settings, keyword: other}, (), columns, may_refuse=may_refuse)]


def all_keywords(field):
    """The shortest configuration that makes a catalogue, and the longest that means the same."""
    printed = subprocess.run(["source-extractor", "-dd"], capture_output=True, text=True, check=True).stdout
    lines = [line.split("#")[0].split(maxsplit=1) for line in printed.splitlines()]
    settings = {line[0]: " ".join(line[1:]).strip() for line in lines if line and line[0] not in NEEDED}
    return [Case(f"all absent, {short(field)}", field, {}, tuple(settings)),
            Case("  all that -dd prints", field, settings, is_default=True)]


def is_below(agrees, floor):
    """Whether the share of what agrees is below that of the floor by more than two standard errors of the
    difference, each share with one more that agrees and one more that does not, so that a few sources, or shares
    of 100 %, have a standard error, too (Agresti & Caffo 2000)."""
    if len(floor) == 0:
        return len(agrees) > 0
    shares = [((one.sum() + 1) / (len(one) + 2), len(one) + 2) for one in (agrees, floor)]
    error = sum(share * (1 - share) / number for share, number in shares) ** 0.5
    return shares[1][0] - shares[0][0] > 2 * error


class Comparison:
    """What both programs make of a case; `None` where one refuses it."""

    def __init__(self, skynet, work, case):
        self.case, self.columns = case, [*COLUMNS, *case.columns, *case.exact]
        self.ours, self.theirs, self.said = None, None, ""
        image = case.field if os.path.isabs(case.field) else drawn(work, case.field)
        self.sky = sky(image)
        with tempfile.TemporaryDirectory() as folder:
            weights = self.configure(folder, drawn(work, f"{case.field} weights"))
            try:
                theirs = sextractor.extracted(folder, image)
                self.first, self.others = mirrored(folder, image, weights)
                self.theirs = theirs
            except sextractor.Refusal:
                pass
            try:
                self.ours = sextractor.engaged(skynet, folder, image)
                with open(f"{folder}/ours.fits", "rb") as file:
                    self.bytes = file.read()
            except sextractor.Refusal as refusal:
                self.said = re.sub(r"^error: (\S*sex:\d+: )?|;.*", "", refusal.said.strip().splitlines()[-1])

    def configure(self, folder, weights):
        """Writes the configuration and the files that it may name. Returns the weight map in use, if any."""
        # SExtractor fills its stack of pixels before it begins: a large one takes most of its time.
        settings = {"MEMORY_PIXSTACK": 1_000_000, **self.case.settings}
        columns, in_use = self.columns, None
        if os.path.exists(weights):
            settings = {"WEIGHT_TYPE": "MAP_WEIGHT", "WEIGHT_IMAGE": "weight.fits", **settings}
            os.symlink(weights, f"{folder}/weight.fits")
            mirror(weights, "x", f"{folder}/other.fits")
            in_use = f"{folder}/{os.path.expandvars(settings['WEIGHT_IMAGE']).split(',')[0]}"
        sextractor.configure(folder, columns, settings, self.case.absent)
        for name, text in (
                ("default.conv", "CONV NORM\n1 2 3 2 1\n2 4 6 4 2\n3 6 9 6 3\n2 4 6 4 2\n1 2 3 2 1\n"),
                ("other.conv", "CONV NORM\n1 1 1\n1 1 1\n1 1 1\n"),
                ("default.param", "\n".join([*columns, "ELLIPTICITY\n"])),
                ("other.param", "\n".join([*columns, "FLUX_MAX\n"]))):
            with open(f"{folder}/{name}", "w") as file:
                file.write(text)
        return in_use

    def cells(self):
        """The shares with their floors, and whether none is below. SExtractor assigns faint pixels and cleans in
        the order of its rows, to which one mirror image alone may be kind or hard: the lowest of three shares is
        what that order may cost."""
        columns = [*COLUMNS, *self.case.columns]
        floors = [agreement(self.first, rows, columns, self.sky) for rows in self.others]
        cells, good = [], True
        for name, agrees in agreement(self.theirs, self.ours, columns, self.sky).items():
            floor = min((one[name] for one in floors), key=lambda one: one.mean() if len(one) else 1)
            below = is_below(agrees, floor)
            good = good and not below
            extra = f"{name} " if name in self.case.columns else ""
            cells.append(f"{extra}{percent(agrees):>5} ({percent(floor):>5}){'*' if below else ' '}")
        return cells, good

    def unequal(self):
        """What is wrong with the columns that must be equal."""
        index, distance = nearest(self.theirs, self.ours)
        near = distance < 0.5
        equal = {name: abs(self.ours[name][index[near]] - self.theirs[name][near]) < 1e-3 for name in self.case.exact}
        return [f"{name} is equal for {percent(rows)}" for name, rows in equal.items() if rows.mean() < 0.99]

    def line(self, absent=None):
        """The case's line, and whether it is good. `absent` is the comparison without the keyword."""
        case, faults = self.case, []
        if self.theirs is None or self.ours is None:
            good = self.ours is None and (self.theirs is None or case.may_refuse)
            who = "both refuse it" if self.theirs is self.ours else (
                "SExtractor refuses it" if self.theirs is None else "refused")
            return f"{case.name:{WIDTH}} {who}{f': {self.said}' if self.said else ''}", good
        cells, good = self.cells()
        faults += self.unequal()
        if list(self.theirs) != list(self.ours):
            faults.append("other columns")
        if absent and case.is_default and absent.ours and self.bytes != absent.bytes:
            faults.append("not as absent")
        if absent and absent.theirs and case.is_default != same(self.theirs, absent.theirs):
            faults.append("not SExtractor's default" if case.is_default else "without effect")
        numbers = [len(rows["X_IMAGE"]) for rows in (self.theirs, self.ours)]
        return (f"{case.name:{WIDTH}} {numbers[0]:5} {numbers[1]:5}  {' '.join(cells)} {', '.join(faults)}".rstrip(),
                good and not faults)


def same(catalogue, other):
    return list(catalogue) == list(other) and all(
        numpy.array_equal(catalogue[name], other[name]) for name in catalogue)


def percent(agrees):
    return f"{100 * agrees.mean():.1f}" if len(agrees) else "-"


def drawn(work, name):
    """The file of a field's image. SExtractor takes a space for the end of a name."""
    return f"{work}/{name.replace(' ', '-').replace(',', '')}.fits"


def draw(work):
    """Writes the images of all fields, and their weights."""
    for name, field in FIELDS.items():
        pixels, weights, cards = field(numpy.random.default_rng(17))
        fits.writeto(drawn(work, name), pixels, fits.Header(cards))
        if weights is not None:
            fits.writeto(drawn(work, f"{name} weights"), weights)


def main(skynet, *images):
    os.environ.update(VARIABLES)
    # Of odd headers, which are meant here.
    log.setLevel("WARNING")
    groups = [[case] for case in [*FIELD_CASES, *VARIABLE_CASES, *TWICE_CASES, *ODD_CASES]]
    for keyword in KEYWORDS:
        groups.append(keyword_cases(*keyword))
    for keyword in WITHOUT_COUNTERPART:
        groups.append(keyword_cases(*keyword, may_refuse=True))
    for field in "saturate", "weights", *images:
        groups.append(all_keywords(field))
    for number, (keyword, default, other, field, settings) in enumerate(KEYWORDS if images else []):
        if field in ("plain", "bright"):
            groups.append(keyword_cases(keyword, default, other, images[number % len(images)], settings))
    print(f"{'case':{WIDTH}} {'SEx.':>5} {'ours':>5}  "
          + " ".join(f"{name:15}" for name in ("matched", *COLUMNS)), flush=True)
    below = cases = 0
    with tempfile.TemporaryDirectory() as work, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
        draw(work)
        for group in threads.map(lambda group: [Comparison(skynet, work, case) for case in group], groups):
            for comparison in group:
                line, good = comparison.line(absent=group[0] if comparison is not group[0] else None)
                print(line + ("" if good else "  BELOW"), flush=True)
                cases, below = cases + 1, below + (not good)
    print(f"{below} of {cases} cases are below")
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
