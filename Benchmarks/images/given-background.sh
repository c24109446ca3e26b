# shellcheck shell=bash
#: given-background
#: Agreement with sep: the sources over sep's own background, in the images of SKYNET_TEST_DATA.
#: Target: as many sources, each within 0.001 pixels; sources that were not deblended have as many pixels
#: and the same fluxes. Fails below.

need_python numpy sep astropy
find_images
[[ ${#images[@]} -gt 0 ]] || skip "there are no images"
need_swift
install_for_build
swift build --build-tests >&2

need_work
export SKYNET_SEP_MAPS=$work
for image in "${images[@]}"; do
  "$python" -W ignore "$here/sep_maps.py" "$image" "$work"
done
swift test --skip-build --filter GivenBackgroundTests || exit 1
