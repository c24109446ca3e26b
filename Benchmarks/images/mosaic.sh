# shellcheck shell=bash
#: mosaic [IMAGES [SIDE]]
#: One catalogue of a file with many images, by `skynet sex` over two nodes: the file plain and packed, beside
#: each image alone, beside SExtractor's catalogue and check images, and with a damaged image.
#: Target: each image's table has the bytes that it has alone; check images within 0.001 of the noise. Fails beyond.
#
# IMAGES is 62 by default, of 512 x 512 pixels. SExtractor reads the plain file.

images=${1:-62}
side=${2:-512}
need_count IMAGES "$images"
need_count SIDE "$side"
need_source_extractor
need_python numpy astropy
need_skynet

run "$python" "$here/mosaic.py" make "$work" "$images" "$side"
printf '%s\n' NUMBER X_IMAGE Y_IMAGE FLUX_AUTO FLUXERR_AUTO FLAGS EXT_NUMBER >"$work/mosaic.param"
settings=(-PARAMETERS_NAME "$work/mosaic.param" -FILTER N -CATALOG_TYPE FITS_LDAC)

# Stores in `checks` the words for check images with a prefix.
checks_of() { # PREFIX
  checks=(-CHECKIMAGE_TYPE "BACKGROUND,BACKGROUND_RMS"
    -CHECKIMAGE_NAME "$work/$1-background.fits,$work/$1-rms.fits")
}

start_node mosaic-a --slots 1
start_node mosaic-b --slots 1
cluster=(--no-discovery --no-local --wait-for 2 --peers "$(peers mosaic-a mosaic-b)")

checks_of skynet
run "$skynet" sex "$work/mosaic.fits" "${settings[@]}" "${checks[@]}" \
  -CATALOG_NAME "$work/plain.cat" "${cluster[@]}"
run "$skynet" sex "$work/mosaic.fits.fz" "${settings[@]}" -CATALOG_NAME "$work/packed.cat" "${cluster[@]}"
for ((number = 1; number <= images; number++)); do
  run "$skynet" sex "$work/mosaic.fits[$number]" "${settings[@]}" -CATALOG_NAME "$work/alone-$number.cat"
done
checks_of theirs
run source-extractor "$work/mosaic.fits" "${settings[@]}" "${checks[@]}" -CATALOG_NAME "$work/theirs.cat"

status=0
"$skynet" sex "$work/damaged.fits" "${settings[@]}" -CATALOG_NAME "$work/damaged.cat" \
  2>"$work/said" || status=$?
((status == 1)) || die "a damaged image has exit status $status"
grep -q "^not in the catalogue: .*, image $images of $images: " "$work/said" ||
  die "the damaged image is not listed"

run "$python" -W ignore "$here/mosaic.py" compare "$work" "$images"
