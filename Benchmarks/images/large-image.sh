# shellcheck shell=bash
#: large-image
#: Scans an image of 20,000 x 20,000 pixels (800 MB) with two slots of one system: the peak memory of the
#: coordinator, which reads the image and collects the catalogue, and the time.
#: Target: at most 700 MiB. Fails beyond.
#
# The script makes the image; SKYNET_LARGE_SIDE sets another side. Takes some minutes and 900 MB in
# TMPDIR.

readonly side=${SKYNET_LARGE_SIDE:-20000}
readonly most=700
[[ $side =~ ^[1-9][0-9]{1,4}$ ]] || die "SKYNET_LARGE_SIDE is '$side', 32 to 32768 is allowed"
need_python
need_skynet
free=$(df --output=avail -k "$work" | tail -1)
((free > side * side * 5 / 2 / 1024)) || skip "$work has $((free / 1024)) MiB free, too little for the image"

usage() { # COMMAND...
  run "$python" Benchmarks/support/usage.py "$work/usage" "$@"
  read -r cpu elapsed peak <"$work/usage"
}

# 750 stars per million pixels.
usage "$skynet" make-sky "$work/sky.fits" --size "$side" --stars $((side * side * 3 / 4000)) --seed 20
echo "make-sky: $elapsed s ($cpu s of processor time), peak $((peak / 1024)) MiB"
usage "$skynet" engage --image "$work/sky.fits" --no-discovery --slots 2 --catalog "$work/catalogue.csv"
tail -1 "$work/said"
echo "engage: $elapsed s ($cpu s of processor time), $(($(wc -l <"$work/catalogue.csv") - 1)) sources"
echo "peak of resident memory: $((peak / 1024)) MiB (at most $most), the image has $((side * side * 2 >> 20)) MiB"
((peak / 1024 <= most)) || exit 1
