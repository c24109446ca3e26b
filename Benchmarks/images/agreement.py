"""Which sources of two catalogues of one image agree; and SExtractor's catalogues of an image that is mirrored."""
import numpy
from astropy.io import fits

import sextractor

MESH = 64
VALUES = ["FLUX_ISO", "FLUXERR_ISO", "FLUX_APER", "FLUX_AUTO", "KRON_RADIUS", "A_IMAGE", "B_IMAGE"]


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


def agreement(reference, rows, columns):
    """For "positions", which sources of the reference have one of the rows within 0.1 pixels; and for each
    column, which of those with one within 0.5 pixels agree: fluxes, radii and axes within 1 %, THETA_IMAGE
    within 1 degree, areas and FLAGS if they are equal."""
    index, distance = nearest(reference, rows)
    near = distance < 0.5
    agrees = {"positions": distance < 0.1}
    for column in columns:
        theirs, ours = reference[column][near], rows[column][index[near]]
        if column in VALUES:
            agrees[column] = abs(ours - theirs) <= 0.01 * abs(theirs)
        elif column == "THETA_IMAGE":
            agrees[column] = abs((ours - theirs + 90) % 180 - 90) <= 1
        else:
            agrees[column] = ours == theirs
    return agrees


def put_back(rows, axes, width, height):
    """The catalogue of a mirrored image, as that of the image itself."""
    rows = dict(rows)
    if "x" in axes:
        rows["X_IMAGE"] = width + 1 - rows["X_IMAGE"]
    if "y" in axes:
        rows["Y_IMAGE"] = height + 1 - rows["Y_IMAGE"]
    if len(axes) == 1 and "THETA_IMAGE" in rows:
        rows["THETA_IMAGE"] = -rows["THETA_IMAGE"]
    return rows


def mirror(path, axes, to):
    """Mirrors a file's image, without the rows and columns that fill no mesh. Returns its width and height."""
    with fits.open(path) as units:
        unit = next(unit for unit in units if unit.data is not None and unit.data.ndim == 2)
        pixels, header = unit.data, unit.header
    height, width = (side // MESH * MESH or side for side in pixels.shape)
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
