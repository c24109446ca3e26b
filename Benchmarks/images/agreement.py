"""Which sources of two catalogues of one image agree; and SExtractor's catalogues of an image that is mirrored."""
import re
import warnings
from typing import NamedTuple

import numpy
from astropy.io import fits
from astropy.wcs import WCS

import sextractor

MESH = 64
PLACE = re.compile(r"([XY])(WIN|PEAK|MIN|MAX)?_IMAGE(_DBL)?")
SKY_PLACE = re.compile(r"(ALPHA|X)(WIN|PEAK)?_\w+|(DELTA|Y)(WIN|PEAK)?_\w+")


class Sky(NamedTuple):
    """How many degrees, or units of a linear axis, a pixel has; and whether the axes are those of a sphere."""
    pixel: float = 1.0
    is_sphere: bool = False


def sky(path):
    header = image_of(path)[1]
    if not header.get("CTYPE1", "").strip():
        return Sky(abs(header.get("CDELT1", 1)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wcs = WCS(header, naxis=2)
        return Sky(abs(numpy.linalg.det(wcs.pixel_scale_matrix)) ** 0.5, wcs.has_celestial)


def nearest(rows, others):
    """For each source, the nearest of the others, and its distance."""
    order = numpy.argsort(others["Y_IMAGE"])
    x, y = others["X_IMAGE"][order], others["Y_IMAGE"][order]
    index, distance = numpy.zeros(len(rows["X_IMAGE"]), int), numpy.full(len(rows["X_IMAGE"]), numpy.inf)
    for number, (px, py) in enumerate(zip(rows["X_IMAGE"], rows["Y_IMAGE"])):
        low, high = numpy.searchsorted(y, [py - 1, py + 1])
        if low < high:
            distances = numpy.hypot(x[low:high] - px, y[low:high] - py)
            best = int(distances.argmin())
            index[number], distance[number] = order[low + best], distances[best]
    return index, distance


def tolerance(column, theirs, reference, sky):
    """By how much a column may differ, from its unit and its name. Zero: it must be equal."""
    unit = sextractor.columns().get(column, "")
    if theirs.dtype.kind in "iu":
        return 0
    if unit.startswith("mag") and not column.startswith("MAGERR"):
        return 0.01
    if unit == "deg" and "THETA" in column:
        return 1
    if PLACE.fullmatch(column):
        return 0.1
    if unit == "deg" and (place := SKY_PLACE.fullmatch(column)):
        latitude = column.replace("ALPHA", "DELTA").replace("X", "Y", not column.startswith("ALPHA"))
        cosine = numpy.cos(numpy.radians(reference[latitude])) if place[1] and sky.is_sphere else 1
        return 0.1 * sky.pixel / cosine
    if covariance := re.fullmatch(r"(ERRC?)XY(WIN_\w+)", column):
        # A window is almost round: the value itself is mostly rounding.
        before, after = covariance.groups()
        axes = ("X2", "Y2") if before == "ERR" else ("XX", "YY")
        return 0.01 * numpy.sqrt(abs(reference[before + axes[0] + after] * reference[before + axes[1] + after]))
    if column == "VIGNET":
        # A pixel of the sky is nothing but rounding beside the source's. -1e30 stands for a neighbour's pixel.
        return 0.01 * abs(theirs).max(axis=(1, 2), where=theirs > -1e29, initial=0)[:, None, None]
    return 0.01 * abs(theirs)


def difference(column, ours, theirs):
    if "THETA" in column:
        return abs((ours - theirs + 90) % 180 - 90)
    if column.startswith("ALPHA"):
        return abs((ours - theirs + 180) % 360 - 180)
    return abs(ours - theirs)


def groups(parents):
    """For each source, the first one that has the same parent."""
    _, first, group = numpy.unique(parents, return_index=True, return_inverse=True)
    return first[group]


def agreement(reference, rows, columns, sky=Sky()):
    """For "matched", which sources of the longer catalogue have one of the other within 0.5 pixels; and for each
    column, which of the reference's that have one agree: by the rule of `tolerance`, in all of a vector's
    elements. Parents agree if they have the same sources. A column that the rows lack agrees nowhere."""
    longer, other = sorted((rows, reference), key=lambda one: -len(one["X_IMAGE"]))
    agrees = {"matched": nearest(longer, other)[1] < 0.5}
    index, distance = nearest(reference, rows)
    near = distance < 0.5
    reference, rows = ({name: values[which] for name, values in one.items()}
                       for one, which in ((reference, near), (rows, index[near])))
    for column in columns:
        if column not in rows:
            agrees[column] = numpy.zeros(near.sum(), bool)
            continue
        theirs, ours = reference[column], rows[column]
        if column == "ID_PARENT":
            theirs, ours = groups(theirs), groups(ours)
        allowed = tolerance(column, theirs, reference, sky)
        same = (difference(column, ours.astype(float), theirs.astype(float)) <= allowed) | (ours == theirs)
        if theirs.dtype.kind == "f":
            same |= numpy.isnan(ours) & numpy.isnan(theirs)
        agrees[column] = same.all(axis=tuple(range(1, same.ndim)))
    return agrees


def put_back(rows, axes, width, height):
    """The catalogue of a mirrored image, as that of the image itself."""
    back = dict(rows)
    for name, values in rows.items():
        if place := PLACE.fullmatch(name):
            if place[1].lower() in axes:
                end = name.replace("MIN", "M?N").replace("MAX", "MIN").replace("M?N", "MAX")
                back[end] = (width if place[1] == "X" else height) + 1 - values
        elif re.fullmatch(r"(ERR)?(THETA|C?XY)(WIN)?_IMAGE", name):
            back[name] = -values if len(axes) == 1 else values
        elif name == "VIGNET":
            back[name] = values[:, ::-1 if "y" in axes else 1, ::-1 if "x" in axes else 1]
    return back


def image_of(path):
    """The pixels and the header of a file's image."""
    with fits.open(path) as units:
        unit = next(unit for unit in units if unit.data is not None and unit.data.ndim == 2)
        return unit.data, unit.header


def mirror(path, axes, to):
    """Mirrors a file's image with its coordinates, without the rows and columns that fill no mesh. Returns its width
    and height."""
    pixels, header = image_of(path)
    height, width = (side // MESH * MESH or side for side in pixels.shape)
    for axis, side in ("x", width), ("y", height):
        if axis in axes:
            number = "xy".index(axis) + 1
            header[f"CRPIX{number}"] = side + 1 - header.get(f"CRPIX{number}", 1)
            matrix = [card for card in header if re.fullmatch(rf"(CD|PC)\d_{number}", card)]
            for card in matrix or [f"CDELT{number}"]:
                header[card] = -header.get(card, 1)
    rows, columns = (slice(None, None, -1 if axis in axes else 1) for axis in "yx")
    fits.PrimaryHDU(numpy.ascontiguousarray(pixels[:height, :width][rows, columns]), header).writeto(
        to, output_verify="silentfix+ignore", overwrite=True)
    return width, height


def mirrored(folder, image, weights=None):
    """SExtractor's catalogues of the image cut to whole meshes, so that each mirror image has the same meshes:
    as it is; and mirrored in x, in y and in both, with its weights.

    Bad pixels are not interpolated in either. SExtractor fills each row from its left, so that a mirror image would
    have other pixels, and a floor so low that it would allow not to interpolate at all."""
    found = []
    for axes in "", "x", "y", "xy":
        options = []
        if weights:
            mirror(weights, axes, f"{folder}/mirrored-weights.fits")
            options = ["-WEIGHT_IMAGE", f"{folder}/mirrored-weights.fits", "-INTERP_TYPE", "NONE"]
        size = mirror(image, axes, f"{folder}/mirrored.fits")
        rows = sextractor.extracted(folder, f"{folder}/mirrored.fits", *options)
        found.append(put_back(rows, axes, *size))
    return found[0], found[1:]
