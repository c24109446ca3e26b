# shellcheck shell=bash
#: psfex-scamp
#: What PSFEx and SCAMP make of the LDAC catalogues of `skynet sex`, beside those of SExtractor: the PSF's width and
#: chi2, the exit status, the sources that match, the astrometric solution. astropy reads the ASCII_HEAD, too.
#: Target: FWHM and chi2 within 1 %, the solution within 0.1 pixels, equal exit statuses. Fails otherwise.
#
# The frames are those of the Sloan Digital Sky Survey in the folder that SKYNET_TEST_DATA names, and one that the
# script makes.

need_python numpy astropy
need_source_extractor
for program in psfex scamp; do
  type -P "$program" >/dev/null || skip "there is no $program: apt-get install $program"
done
find_images
need_skynet

frames=()
for image in ${images[@]+"${images[@]}"}; do
  [[ ${image##*/} != sdss-* ]] || frames+=("$image")
done
run "$python" "$here/frames.py" "$work" 1 2048 1489
configure isophotal "${isophotal_columns[@]}"
"$python" -W ignore "$here/psfex_scamp.py" "$skynet" "$work/isophotal.sex" ${frames[@]+"${frames[@]}"} \
  -- "$work/frame-0000.fits" || exit 1
