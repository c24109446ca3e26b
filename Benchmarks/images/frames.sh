# shellcheck shell=bash
#: frames [--skynet PROGRAM] [--lists | --checks] [ROUNDS]
#: Processor time of a scan with one slot divided by that of SExtractor, with the same configuration and
#: columns: user and system time of the command and of all processes that it started, medians of runs in
#: turns. A line a row: the ratio, its range, the seconds of both, and what is to be reached.
#: Target: isophotal 0.5 on an SDSS frame and 0.3 on 4096 x 4096 pixels with 20,000 stars; with FLUX_AUTO 0.6
#: and 0.35, 0.5 where 300 stars are bright, 0.5 in a crowded field; 3 for --version. With --lists, the median
#: over the public lists of columns in the folder that SKYNET_TEST_PIPELINES names which skynet has: 0.6.
#: With --checks, `skynet sex` with the two check images of the background, on the frame and on the 4096 x 4096
#: pixels: 1.0.
#
# ROUNDS is 5 by default. The frame is one of the folder that SKYNET_TEST_DATA names; without it, the script
# makes one, and says so. It makes the other images. PROGRAM is the skynet to measure, as SKYNET_BINARY is.

if [[ ${1:-} == --skynet ]]; then
  [[ -n ${2:-} ]] || die "--skynet needs a program"
  SKYNET_BINARY=$2
  shift 2
fi
what=scans
if [[ ${1:-} == --lists || ${1:-} == --checks ]]; then
  what=${1#--}
  shift
fi
rounds=${1:-5}
need_rounds "$rounds"

need_source_extractor
need_python numpy
if [[ $what == lists ]]; then
  need_python astropy
  [[ -r ${SKYNET_TEST_PIPELINES:-}/columns-asked.tsv ]] || skip "SKYNET_TEST_PIPELINES names no folder with columns-asked.tsv"
fi
find_images
need_skynet

frame=
for image in ${images[@]+"${images[@]}"}; do
  [[ ${image##*/} != sdss-* || -n $frame ]] || frame=$image
done
if [[ -n $frame ]]; then
  kind="SDSS frame"
else
  kind="made-up frame"
  echo "there is no sdss-*.fit in SKYNET_TEST_DATA: the frame is a made-up one" >&2
  frame=$work/frame.fits
  run "$python" "$here/made_up.py" frame "$frame"
fi
configure isophotal "${isophotal_columns[@]}"
if [[ $what == lists ]]; then
  echo "$kind, each list of columns" >&2
  cd "$work" || die "there is no $work"
  "$python" -W ignore "$here/lists.py" "$skynet" "$frame" "$work/isophotal.sex" "$network" \
    "$(absolute "$SKYNET_TEST_PIPELINES")" "$rounds"
  return
fi
run "$skynet" make-sky "$work/sky.fits" --size 4096 --stars 20000 --seed 4

compare() { # ROW TARGET COMMAND... --versus COMMAND...
  "$python" "$here/frame_costs.py" "$rounds" "$@"
}

# Stores in `words` what both programs take for a scan with the check images, which begin with a name.
ask_for_checks() { # IMAGE NAME
  words=("$1" -c "$work/isophotal.sex" -CATALOG_NAME "$work/$2.cat" -CHECKIMAGE_TYPE "BACKGROUND,BACKGROUND_RMS"
    -CHECKIMAGE_NAME "$work/$2-background.fits,$work/$2-noise.fits")
}

measure_checks() { # ROW IMAGE
  ask_for_checks "$2" ours
  local ours=("$skynet" sex "${words[@]}" --slots 1 --no-discovery)
  ask_for_checks "$2" theirs
  local theirs=(source-extractor "${words[@]}") map
  printf '$ %s\n' "${ours[*]}" "${theirs[*]}" >&2
  compare "$1, check images" 1.0 "${ours[@]}" --versus "${theirs[@]}"
  for map in background noise; do
    [[ $(stat -c %s "$work/ours-$map.fits") == "$(stat -c %s "$work/theirs-$map.fits")" ]] \
      || die "the check images of the $map have different sizes"
  done
}

measure() { # ROW TARGET IMAGE CONFIGURATION
  local ours=("$skynet" engage --no-discovery --slots 1 --image "$3" --config "$work/$4.sex"
    --catalog "$work/ours.csv")
  local theirs=(source-extractor "$3" -c "$work/$4.sex")
  printf '$ %s\n' "${ours[*]}" "${theirs[*]}" >&2
  compare "$1" "$2" "${ours[@]}" --versus "${theirs[@]}"
  printf '  %d sources, reference %d\n' "$(grep -c '^[0-9]' "$work/ours.csv")" \
    "$(grep -cv '^#' "$work/theirs.cat")" >&2
}

say "$rounds rounds each"
if [[ $what == checks ]]; then
  measure_checks "$kind" "$frame"
  measure_checks "4096 x 4096, 20,000 stars" "$work/sky.fits"
  return
fi
run "$python" "$here/made_up.py" bright "$work/bright.fits"
run "$python" "$here/made_up.py" crowded "$work/crowded.fits"
configure auto "${auto_columns[@]}"
measure "$kind, isophotal" 0.5 "$frame" isophotal
measure "$kind, AUTO" 0.6 "$frame" auto
measure "4096 x 4096, 20,000 stars, isophotal" 0.3 "$work/sky.fits" isophotal
measure "4096 x 4096, 20,000 stars, AUTO" 0.35 "$work/sky.fits" auto
measure "4096 x 4096, 300 bright stars, AUTO" 0.5 "$work/bright.fits" auto
measure "2048 x 2048, 50,000 stars, AUTO" 0.5 "$work/crowded.fits" auto
compare "--version" 3 "$skynet" --version --versus source-extractor --version
