# shellcheck shell=bash
#: small-frames [ROUNDS [FRAMES]]
#: Many small frames (256 x 256 pixels) in one run with one slot: processor time of a frame beyond detection
#: alone, without and with sky columns; and how much private memory the processes have at the last frame beyond
#: that at frame 200.
#: Target: at most 2 ms a frame, and 10 MiB.
#
# ROUNDS is 5 by default, of 2,000 frames, which the script makes (frames.py). Detection alone is
# SkyNetBench's (Sources/SkyNetBench/Detection.swift): the same pixels as arrays, in one thread.

rounds=${1:-5}
frames=${2:-2000}
need_rounds "$rounds"
need_count FRAMES "$frames"
((frames > 400)) || die "FRAMES is $frames, more than 400 are needed"
need_python numpy
need_proc
need_program SkyNetBench "${SKYNET_BENCH_BINARY:-}"
bench=$program
need_skynet
mkdir "$work/night"
run "$python" "$here/frames.py" "$work/night" "$frames" 256 256

readonly plain=NUMBER,X_IMAGE,Y_IMAGE,FLUX_ISO,FLUX_APER,ISOAREA_IMAGE,A_IMAGE,B_IMAGE,THETA_IMAGE,FLAGS
readonly sky=$plain,ALPHA_J2000,DELTA_J2000
# Names in a list: a command line may not be long enough for all of them.
printf '%s\n' "$work"/night/*.fits >"$work/list"

choose() { # COLUMNS
  rm -rf "$work/out"
  mkdir "$work/out"
  command=("$skynet" engage --images "$work/list" --no-discovery --slots 1 --columns "$1"
    --catalog "$work/out/{name}.csv")
}

for ((round = 1; round <= rounds; round++)); do
  say "round $round of $rounds"
  "$bench" detection --folder "$work/night" --rounds 1 >"$work/said" || die "the detection went wrong"
  alone=$(sed -n 's/^a frame: \([0-9.]*\) ms.*/\1/p' "$work/said")
  note alone "$alone"
  echo "detection alone: $alone ms a frame"
  for kind in plain sky; do
    choose "${!kind}"
    run "$python" Benchmarks/support/usage.py "$work/usage" "${command[@]}"
    read -r processor elapsed _ <"$work/usage"
    beyond=$(calculate "$processor * 1000 / $frames - $alone")
    note "$kind" "$beyond"
    printf '%s columns: %.2f s, %.2f s of processor time, %.2f ms a frame beyond detection\n' \
      "$kind" "$elapsed" "$processor" "$beyond"
  done
  choose "$plain"
  "$python" "$here/frame_memory.py" "$work/out" 200 "$frames" "${command[@]}" >"$work/memory" \
    || die "the memory could not be measured"
  read -r early late <"$work/memory"
  note more "$(calculate "$late - $early")"
  echo "private memory: $early MiB at frame 200, $late MiB at the end"
done
say "$frames frames"
median alone "%.2f ms" "detection alone, a frame"
median plain "%.2f ms" "  beyond it" "2 ms"
median sky "%.2f ms" "  beyond it with sky columns" "2 ms"
median more "%.1f MiB" "private memory that the last frames add" "10 MiB"
