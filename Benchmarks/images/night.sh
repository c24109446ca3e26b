# shellcheck shell=bash
#: night [ROUNDS [FRAMES]]
#: A night of frames of 2048 x 1489 pixels in one run, over two nodes of one slot each that read the files
#: themselves, over two that are sent the pixels, and in one process with two slots: time and processor time
#: of all processes divided by those of `parallel -j2 source-extractor`, without and with FLUX_AUTO.
#: Target: time at most 0.75 (0.9 with AUTO), pushed 1.0 (1.1), alone 0.6 (0.75); processor time at most 0.7 (0.85).
#
# ROUNDS is 5 by default, of 60 frames. The script makes the frames, with the sky, the noise and the
# sources of a survey's (frames.py). Each round runs everything in turns. The machine should have two
# cores. All runs of one kind write the same catalogues, to the byte: the script compares them.

rounds=${1:-5}
frames=${2:-60}
need_rounds "$rounds"
need_count FRAMES "$frames"
need_source_extractor
type -P parallel >/dev/null || skip "there is no parallel: apt-get install parallel"
need_python numpy
need_proc
need_skynet
mkdir "$work/night" "$work/nothing"
run "$python" "$here/frames.py" "$work/night" "$frames" 2048 1489

configure isophotal "${isophotal_columns[@]}"
configure auto "${auto_columns[@]}"

start_node reader-a --slots 1 --data "$work/night"
start_node reader-b --slots 1 --data "$work/night"
# Nodes that read only below an empty folder are sent all pixels.
start_node fed-a --slots 1 --data "$work/nothing"
start_node fed-b --slots 1 --data "$work/nothing"

# Stores in `command` and `beside` a run, and the nodes whose processor time counts.
choose() { # WAY KIND
  local -n columns=$2_columns
  local list
  list=$(IFS=,; echo "${columns[*]}")
  command=("$skynet" engage --image "$work"/night/*.fits --no-discovery --columns "$list"
    --catalog "$work/$1-$2/{name}.csv")
  beside=
  case $1 in
    parallel)
      command=(parallel -j2 source-extractor "{}" -c "$work/$2.sex"
        -CATALOG_NAME "$work/$1-$2/{/.}.cat" ::: "$work"/night/*.fits)
      ;;
    reference)
      command+=(--no-local --wait-for 2 --peers "$(peers reader-a reader-b)")
      beside=${nodes[reader-a]},${nodes[reader-b]}
      ;;
    pushed)
      command+=(--no-local --wait-for 2 --peers "$(peers fed-a fed-b)")
      beside=${nodes[fed-a]},${nodes[fed-b]}
      ;;
    alone) command+=(--slots 2) ;;
  esac
}

measure() { # WAY KIND
  local command beside
  choose "$1" "$2"
  mkdir -p "$work/$1-$2"
  "$python" "$here/night_usage.py" "$work/usage" "$beside" "${command[@]}" 2>"$work/said" || {
    tail -n 100 "$work/said" >&2
    die "failed: ${command[*]:0:8} …"
  }
  read -r processor elapsed <"$work/usage"
}

readonly ways=(reference pushed alone)
for ((round = 1; round <= rounds; round++)); do
  say "round $round of $rounds"
  for kind in isophotal auto; do
    measure parallel "$kind"
    base_elapsed=$elapsed base_processor=$processor
    printf '%s: parallel -j2 source-extractor %.2f s, %.2f s of processor time\n' "$kind" "$elapsed" "$processor"
    note "parallel-$kind" "$elapsed"
    for way in "${ways[@]}"; do
      measure "$way" "$kind"
      note "$way-$kind-time" "$(calculate "$elapsed / $base_elapsed")"
      note "$way-$kind-processor" "$(calculate "$processor / $base_processor")"
      printf '  %s %.2f s, %.2f s of processor time\n' "$way" "$elapsed" "$processor"
    done
    for way in reference pushed; do
      diff -rq "$work/$way-$kind" "$work/alone-$kind" >&2 || die "the catalogues of $way and alone differ"
    done
  done
done

declare -rA time_targets=([reference-isophotal]=0.75 [reference-auto]=0.9 [pushed-isophotal]=1.0
  [pushed-auto]=1.1 [alone-isophotal]=0.6 [alone-auto]=0.75)
declare -rA processor_targets=([reference-isophotal]=0.7 [reference-auto]=0.85)
say "$frames frames, divided by parallel -j2 source-extractor"
for kind in isophotal auto; do
  median "parallel-$kind" "%.2f s" "$kind: the peer's time"
  for way in "${ways[@]}"; do
    median "$way-$kind-time" %.2f "  $way: time" "${time_targets[$way-$kind]}"
    median "$way-$kind-processor" %.2f "  $way: processor time" "${processor_targets[$way-$kind]:-}"
  done
  ours=$(cat "$work/alone-$kind"/*.csv | grep -c '^[0-9]')
  theirs=$(cat "$work/parallel-$kind"/*.cat | grep -cv '^#')
  echo "  $ours sources, reference $theirs"
done
