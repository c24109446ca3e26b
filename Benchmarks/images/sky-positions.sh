# shellcheck shell=bash
#: sky-positions [IMAGE...]
#: Agreement of ALPHA_J2000 and DELTA_J2000 with astropy's conversion of X_IMAGE and Y_IMAGE, by default in
#: the SDSS frames of SKYNET_TEST_DATA.
#: Target: at most 0.001 arcsec apart. Fails beyond.

need_python numpy astropy
if (($#)); then
  images=()
  for image; do images+=("$(absolute "$image")"); done
else
  find_images
  frames=()
  for image in ${images[@]+"${images[@]}"}; do
    [[ ${image##*/} != sdss-* ]] || frames+=("$image")
  done
  images=(${frames[@]+"${frames[@]}"})
fi
((${#images[@]} > 0)) || skip "there are no images"
need_skynet

failed=0
for image in "${images[@]}"; do
  run "$skynet" engage --image "$image" --no-discovery --catalog "$work/sources.fits" \
    --columns NUMBER,X_IMAGE,Y_IMAGE,ALPHA_J2000,DELTA_J2000
  printf '%s: ' "${image##*/}"
  "$python" -W ignore "$here/sky_positions.py" "$image" "$work/sources.fits" || failed=1
done
exit "$failed"
