#!/usr/bin/env python3
"""Counts the public lists of columns and configurations of pipelines that `skynet sex` takes.

    pipelines.py SKYNET FOLDER

FOLDER has columns-asked.tsv and settings-asked.tsv: a line a list or a configuration, its name, a tab, and the
columns, or the settings with `; ` between them. Each is run on a made-up image. A list is whole if `-dp` prints all of its
columns and the catalogue has them; a configuration passes with exit status 0. For each other one a line tells what
is missing, or the refusal. Exit status 1: a catalogue has other columns than `-dp` promises.
"""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy
from astropy.io import fits

SIDE = 256
# Biases and scales of 10 inputs, 10 and 1 neurons with a weight for each input and a bias, and a bias and scale of the output.
WEIGHTS = 2 * 10 + 10 * 10 + 10 + 10 + 1 + 2


def make_image(folder: pathlib.Path):
    random = numpy.random.default_rng(45)
    y, x = numpy.mgrid[:SIDE, :SIDE]
    pixels = random.normal(100, 3, (SIDE, SIDE))
    for star_x, star_y in random.uniform(10, SIDE - 10, (40, 2)):
        pixels += random.uniform(100, 3000) / 25 * numpy.exp(-((x - star_x) ** 2 + (y - star_y) ** 2) / 8)
    header = fits.Header({
        "CTYPE1": "RA---TAN", "CTYPE2": "DEC--TAN", "CRVAL1": 150.0, "CRVAL2": 2.0, "CRPIX1": SIDE / 2,
        "CRPIX2": SIDE / 2, "CDELT1": -1e-4, "CDELT2": 1e-4, "GAIN": 2.0})
    fits.writeto(folder / "image.fits", pixels.astype("f4"), header)
    fits.writeto(folder / "weight.fits", numpy.ones((SIDE, SIDE), "f4"))
    # A network for CLASS_STAR that has learnt nothing: 3 layers, of 10, 10 and 1 neurons.
    numbers = " ".join(map(str, random.normal(0, 1, WEIGHTS)))
    (folder / "default.nnw").write_text(f"NNW\n3 10 10 1\n{numbers}\n")


def table(path: pathlib.Path) -> dict[str, str]:
    lines = path.read_text().splitlines()
    return dict(line.split("\t", 1) for line in lines if "\t" in line and not line.startswith("#"))


def run(skynet: str, folder: pathlib.Path, *words: str) -> subprocess.CompletedProcess:
    return subprocess.run([skynet, "sex", *words], cwd=folder, capture_output=True, text=True)


def refusal(process: subprocess.CompletedProcess) -> str:
    errors = [line for line in process.stderr.splitlines() if "*Error*" in line]
    return errors[-1] if errors else f"exit status {process.returncode}: {process.stderr[-200:]}"


def bare(column: str) -> str:
    return re.sub(r"[(\[{].*", "", column)


def count_lists(skynet: str, folder: pathlib.Path, lists: dict[str, str]) -> bool:
    served = {line.split()[0].lstrip("#") for line in run(skynet, folder, "-dp").stdout.splitlines()}
    whole, wrong, missing = 0, False, collections.Counter()
    for name, text in lists.items():
        asked = list(dict.fromkeys(text.split()))
        lacking = [column for column in asked if bare(column) not in served]
        missing.update(set(map(bare, lacking)))
        (folder / "list.param").write_text("\n".join(asked) + "\n")
        process = run(
            skynet, folder, "image.fits", "-PARAMETERS_NAME", "list.param", "-CATALOG_NAME", "list.cat",
            "-CATALOG_TYPE", "ASCII_HEAD")
        if len(lacking) == len(asked):
            print(f"list {name}: none of its columns exists")
            continue
        if process.returncode != 0:
            print(f"list {name}: {refusal(process)}")
            continue
        lines = (folder / "list.cat").read_text().splitlines()
        header = [line.split()[2] for line in lines if line.startswith("#")]
        expected = list(dict.fromkeys(bare(column) for column in asked if bare(column) in served))
        if header != expected:
            print(f"list {name}: WRONG: the catalogue lacks {sorted(set(expected) - set(header))}")
            wrong = True
        elif lacking:
            print(f"list {name}: lacks {len(lacking)} of {len(asked)}: {' '.join(lacking[:6])}{' …' if len(lacking) > 6 else ''}")
        else:
            whole += 1
    print(f"{whole} of {len(lists)} lists are whole; most lack "
          + ", ".join(f"{column} ({number})" for column, number in missing.most_common(12)))
    return not wrong


def count_configurations(skynet: str, folder: pathlib.Path, configurations: dict[str, str]):
    (folder / "one.param").write_text("NUMBER\nX_IMAGE\nY_IMAGE\n")
    passed, refused = 0, collections.Counter()
    for name, text in configurations.items():
        (folder / "one.sex").write_text("\n".join(text.split("; ")) + "\n")
        # The tables leave names of files out.
        types = next((line.split(None, 1)[1:] for line in text.split("; ") if line.startswith("CHECKIMAGE_TYPE")), [])
        count = len(types[0].split(",")) if types else 1
        process = run(
            skynet, folder, "image.fits", "-c", "one.sex", "-PARAMETERS_NAME", "one.param", "-CATALOG_NAME", "one.cat",
            "-WEIGHT_IMAGE", "weight.fits", "-CHECKIMAGE_NAME", ",".join(f"check{n}.fits" for n in range(count)))
        if process.returncode == 0:
            passed += 1
            continue
        line = refusal(process)
        refused.update(set(re.findall(r"\b([A-Z]+_[A-Z_]+)\b(?: \S+)? \((?:line|command)", line)))
        print(f"configuration {name}: {line}")
    print(f"{passed} of {len(configurations)} configurations pass; refused are "
          + ", ".join(f"{keyword} ({number})" for keyword, number in refused.most_common()))


def main(skynet: str, shared: str) -> int:
    shared = pathlib.Path(shared)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_image(folder)
        is_right = count_lists(skynet, folder, table(shared / "columns-asked.tsv"))
        count_configurations(skynet, folder, table(shared / "settings-asked.tsv"))
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
