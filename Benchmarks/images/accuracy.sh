# shellcheck shell=bash
#: accuracy
#: Agreement with SExtractor 2.25, column by column, and mesh by mesh of the background.
#: Target: each column agrees as often as SExtractor agrees with itself on the mirrored image, within a point
#: or two standard errors. Fails below.
#
# Compares the catalogues of the images in the folder that SKYNET_TEST_DATA names, and of two
# crowded images that the script makes. Beside each share of agreement is the floor: SExtractor's
# agreement with itself on the mirrored image.

need_python numpy astropy
need_source_extractor
find_images
need_skynet
run "$python" "$here/made_up.py" crowded "$work/crowded.fits"
run "$python" "$here/made_up.py" galaxies "$work/galaxies.fits"

below=0
for image in ${images[@]+"${images[@]}"} "$work/crowded.fits" "$work/galaxies.fits"; do
  "$python" -W ignore "$here/meshes.py" "$skynet" "$image" || below=$((below + 1))
  for clean in N Y; do
    "$python" -W ignore "$here/columns.py" "$skynet" "$image" "$clean" || below=$((below + 1))
  done
done
((below == 0)) || exit 1
