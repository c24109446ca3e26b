# shellcheck shell=bash
#: speed [ROUNDS]
#: Processor time of a scan divided by that of SExtractor, for the same sources and columns: user and system
#: time of the whole process, medians of runs in turns.
#: Target: at most 0.8 of SExtractor's time on an SDSS frame, 0.5 on a sky of 4096 x 4096 pixels.
#
# ROUNDS is 9 by default. The frames are in the folder that SKYNET_TEST_DATA names; the script makes
# the sky, with 20,000 stars.

rounds=${1:-9}
need_rounds "$rounds"

need_source_extractor
need_python
find_images
need_skynet
run "$skynet" make-sky "$work/sky.fits" --size 4096 --stars 20000 --seed 4

configure isophotal "${isophotal_columns[@]}"

measure() { # IMAGE TARGET
  local ours theirs list
  list=$(IFS=,; echo "${isophotal_columns[*]}")
  ours=("$skynet" engage --image "$1" --no-discovery --slots 1 --columns "$list" --catalog "$work/catalogue.csv")
  theirs=(source-extractor "$1" -c "$work/isophotal.sex")
  printf '$ %s\n' "${ours[*]}" "${theirs[*]}" >&2
  printf '%s: ' "${1##*/}"
  "$python" "$here/interleave.py" "$rounds" "$2" "${ours[@]}" --versus "${theirs[@]}"
  printf '  %d sources, reference %d\n' "$(grep -c '^[0-9]' "$work/catalogue.csv")" \
    "$(grep -cv '^#' "$work/theirs.cat")"
}

say "$rounds rounds each"
for image in ${images[@]+"${images[@]}"}; do
  [[ ${image##*/} != sdss-* ]] || measure "$image" 0.8
done
measure "$work/sky.fits" 0.5
