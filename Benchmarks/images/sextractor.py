"""Runs SExtractor and skynet on one image with one configuration, in one folder."""
import base64
import functools
import json
import re
import struct
import subprocess

import numpy
from astropy.io import fits

KERNEL = "CONV NORM\n1 2 1\n2 4 2\n1 2 1\n"


class Refusal(SystemExit):
    """A program failed. `said` is what it wrote to its standard error."""

    def __init__(self, command, said):
        super().__init__(f"failed: {' '.join(command)}\n{said[-2000:]}")
        self.said = said


def configure(folder, columns, settings, absent=()):
    """Writes a configuration, with the files that it names: what source-extractor -d prints, with room for
    crowded fields, and with these settings. Keywords that are absent have no line."""
    settings = {
        "PARAMETERS_NAME": f"{folder}/columns", "FILTER_NAME": f"{folder}/kernel", "CATALOG_TYPE": "FITS_1.0",
        "MEMORY_OBJSTACK": "65000", "MEMORY_PIXSTACK": "20000000", "VERBOSE_TYPE": "QUIET", **settings}
    defaults = subprocess.run(
        ["source-extractor", "-d"], capture_output=True, text=True, check=True).stdout
    lines = [line for line in defaults.splitlines() if line.split()[:1] not in [[k] for k in (*settings, *absent)]]
    lines += [f"{keyword} {value}" for keyword, value in settings.items() if keyword not in absent]
    for name, text in ("sex", "\n".join(lines)), ("kernel", KERNEL), ("columns", "\n".join(columns)):
        with open(f"{folder}/{name}", "w") as file:
            file.write(text + "\n")


@functools.cache
def columns(*command):
    """The units of the columns that a command has, by their names: what it prints for -dp."""
    printed = run(*(command or ["source-extractor"]), "-dp")
    lines = [re.fullmatch(r"#(\S+)\s.*?(?:\[(.*)\])?\s*", line) for line in printed.splitlines()]
    return {line[1]: line[2] or "" for line in lines if line}


def table(path):
    """The columns of a FITS table, by their names. A vector's first axis is that of the sources."""
    with fits.open(path) as units:
        rows = next(unit for unit in units if isinstance(unit, fits.BinTableHDU)).data
        return {name: rows[name].astype("i8" if rows[name].dtype.kind == "i" else "f8") for name in rows.names}


def extracted(folder, image, *options):
    """SExtractor's catalogue."""
    run("source-extractor", image, "-c", f"{folder}/sex", "-CATALOG_NAME", f"{folder}/theirs.fits", *options,
        folder=folder)
    return table(f"{folder}/theirs.fits")


def engaged(skynet, folder, image):
    """The catalogue of skynet."""
    run(skynet, "engage", "--image", image, "--no-discovery", "--config", f"{folder}/sex",
        "--catalog", f"{folder}/ours.fits", folder=folder)
    return table(f"{folder}/ours.fits")


def sexed(skynet, folder, image):
    """The catalogue of skynet's own command for SExtractor's words."""
    run(skynet, "sex", image, "-c", f"{folder}/sex", "-CATALOG_NAME", f"{folder}/ours.fits", folder=folder)
    return table(f"{folder}/ours.fits")


def meshes(folder, image):
    """The levels and noises of SExtractor's meshes, filtered."""
    run("source-extractor", image, "-c", f"{folder}/sex", "-CATALOG_TYPE", "NONE", "-CHECKIMAGE_TYPE",
        "MINIBACKGROUND,MINIBACK_RMS", "-CHECKIMAGE_NAME", f"{folder}/level.fits,{folder}/noise.fits")
    return [fits.getdata(f"{folder}/{name}.fits").astype(float) for name in ("level", "noise")]


def our_meshes(skynet, image):
    """The levels and noises of the meshes of an image of one sector, row by row, as they were found."""
    found = json.loads(run(skynet, "scan", "--image", image, "--background", "--sector", "0",
                           "--sector-size", "4096"))["findings"]["background"]["_0"]
    numbers, levels, noises = base64.b64decode(found), [], []
    while numbers:
        # Bit 0: the mesh has a level and a noise. Bit 1: a variance follows them.
        parts, numbers = numbers[0], numbers[1:]
        level, noise = struct.unpack_from("<dd", numbers) if parts & 1 else (numpy.nan, numpy.nan)
        numbers = numbers[16 * (parts & 1) + 8 * (parts >> 1 & 1):]
        levels.append(level)
        noises.append(noise)
    return [numpy.array(levels), numpy.array(noises)]


def run(*command, folder=None):
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    if done.returncode != 0:
        raise Refusal(command, done.stderr)
    return done.stdout
