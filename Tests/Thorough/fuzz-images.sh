# shellcheck shell=bash
#: fuzz-images [FILES [COMMANDS]]
#: Fuzzes the reading of images: damages FITS files in headers, tables of tiles, coordinates and data, and
#: reads each of them with and without sky coordinates. Each must give a result or a clear error, in 20 s
#: and with 8 GiB of address space, and crash nothing except its reader.
#
# Reader processes read FILES (20,000) damaged files. `skynet engage` also scans COMMANDS (4,000) of
# them, spread over all, which takes longer for each. The script damages small images that it makes,
# plain and packed by fpack in each of its ways, and the files in the folder that
# SKYNET_TEST_ATTACKS names, if it is set. It prints how many reads ended in which way.
# SKYNET_BINARIES names a folder with both programs, if they are already built.

files=${1:-20000} commands=${2:-4000}
for number in "$files" "$commands"; do
  [[ $number =~ ^[0-9]{1,7}$ ]] || { echo "${0##*/}: '$number' is no number of files" >&2; exit 64; }
done
files=$((10#$files)) commands=$((10#$commands))
((files > 0)) || { echo "${0##*/}: there is nothing to do for 0 files" >&2; exit 64; }
((commands <= files)) || commands=$files

if [[ -z ${SKYNET_BINARIES:-} ]]; then
  need_swift
  install_for_build
  install_packages libcfitsio-bin util-linux
  say "building"
  build_release skynet >&2
  build_release SkyNetImageFuzz >&2
  SKYNET_BINARIES=$PWD/.build-release/release
fi
fuzz=$SKYNET_BINARIES/SkyNetImageFuzz skynet=$SKYNET_BINARIES/skynet
type -P fpack >/dev/null || die "there is no fpack: install libcfitsio-bin"

work=$(mktemp -d -t skynet-fuzz-images.XXXXXX)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

"$fuzz" seed "$work/plain.fits"
for way in r g g2 h p; do
  for tiles in "" -w; do
    # Without a checksum, which would contain the time: a number must make the same file each time.
    fpack -$way $tiles -C -S "$work/plain.fits" >"$work/$way$tiles.fz"
  done
done
seeds=("$work"/*.fits "$work"/*.fz)
[[ -z ${SKYNET_TEST_ATTACKS:-} ]] || seeds+=("$SKYNET_TEST_ATTACKS"/*)

# Adds up lines with a number and its subject.
sum() { awk '{ n = $1; sub(/^[0-9]+ /, ""); count[$0] += n } END { for (what in count) print count[what], what }' | sort -rn; }

divisor() { # A B: their greatest common divisor
  local a=$1 b=$2 rest
  while ((b)); do rest=$((a % b)) a=$b b=$rest; done
  echo "$a"
}

# Scans a share of the files with the command: those with the indices FIRST, FIRST + STEP, … in the sample.
scan_share() { # FIRST STEP
  local first=$1 step=$2 folder=$work/$1 place index columns status
  mkdir "$folder"
  for ((place = first; place < commands; place += step)); do
    index=$((place * stride))
    "$fuzz" damage "$index" "${seeds[index % ${#seeds[@]}]}" "$folder/damaged"
    for columns in NUMBER,X_IMAGE,Y_IMAGE NUMBER,X_IMAGE,ALPHA_J2000,DELTA_J2000; do
      status=0
      timeout -s KILL 20 prlimit --as=$((8 << 30)) --core=0 "$skynet" engage --no-discovery \
        --image "$folder/damaged" --columns "$columns" --catalog "$folder/sources.csv" \
        >"$folder/said" 2>&1 || status=$?
      echo "1 with exit status $status" >>"$folder/statuses"
      # Each fault must be reported, as an error or as the reason why a sector was given up.
      case $status in
        0) continue ;;
        1) ! grep -q 'gave up ' "$folder/said" || continue ;;
        2) ! tail -n 1 "$folder/said" | grep -q '^error: ' || continue ;;
      esac
      {
        echo "file $index with $columns: exit status $status"
        tail -n 3 "$folder/said" | sed 's/^/  /'
      } >>"$folder/found"
    done
  done
}

found=0
say "$files damaged files of ${#seeds[@]} images, each read with and without sky coordinates"
# A crash of this program would be a crash of the command.
prlimit --as=$((8 << 30)) --core=0 "$fuzz" read 0 "$files" "$work" "${seeds[@]}" || found=1

# The sample's step, chosen so that the sample includes every image.
stride=$((commands ? files / commands : 1))
while (($(divisor "$stride" ${#seeds[@]}) > 1)); do stride=$((stride - 1)); done
processors=$(nproc)
say "$commands of them by the command, each with and without sky positions"
shares=()
for ((share = 0; share < processors && share < commands; share++)); do
  scan_share "$share" "$processors" &
  shares+=($!)
done
for share in "${shares[@]}"; do wait "$share"; done
cat "$work"/*/statuses 2>/dev/null | sum
if cat "$work"/*/found 2>/dev/null; then found=1; fi
exit "$found"
