# shellcheck shell=bash
#: invariance
#: One image, one catalogue: the file must be the same to the byte with any size of the sectors, on any
#: systems, and also if a node is killed meanwhile. Fails if one differs.
#
# Scans the images in the folder that SKYNET_TEST_DATA names, and one that the script makes.

find_images
need_skynet
run "$skynet" make-sky "$work/sky.fits" --size 2048 --stars 5000 --seed 21
images+=("$work/sky.fits")
for name in a b c d; do start_node "$name" --slots 1; done

differing=0
compare() { # CASE NOTE
  local verdict=same
  if ! cmp -s "$work/reference.csv" "$work/catalogue.csv"; then
    verdict=DIFFERS
    differing=$((differing + 1))
  fi
  printf '  %-28s %-8s %s\n' "$1" "$verdict" "$2"
}

# The others are sky positions, or come from the same numbers as these.
columns=NUMBER,X_IMAGE,Y_IMAGE,FLUX_ISO,FLUXERR_ISO,FLUX_APER,FLUX_AUTO,KRON_RADIUS,FLUX_MAX
columns+=,ISOAREA_IMAGE,ISOAREAF_IMAGE,A_IMAGE,B_IMAGE,THETA_IMAGE,XMIN_IMAGE,XMAX_IMAGE,FLAGS

engage() { # OPTION...
  rm -f "$work/catalogue.csv"
  run "$skynet" engage --image "$image" --no-discovery --catalog "$work/catalogue.csv" \
    --columns "$columns" "${cleaning[@]}" "$@"
}

# Kills node `victim` at the line of its first result. Stores a description in `note`.
engage_and_kill() {
  local engagement line before=-1 completed=0 total=0
  rm -f "$work/catalogue.csv"
  [[ -p $work/told ]] || mkfifo "$work/told"
  start_node victim --slots 1
  set -- "$skynet" engage --image "$image" --no-discovery --catalog "$work/catalogue.csv" --slots 1 \
    --columns "$columns" "${cleaning[@]}" --sector-size 64 --peers "$(peers a victim)" --wait-for 2
  echo "\$ $* (and kill -KILL ${nodes[victim]})" >&2
  "$@" 2>"$work/told" &
  engagement=$!
  while read -r line; do
    case $line in
      "completed "*)
        completed=$((completed + 1))
        if [[ $line == *" by victim" ]] && ((before < 0)); then
          kill -KILL "${nodes[victim]}"
          before=$completed
        fi
        ;;
      *" sectors in "*) total=${line#* of } total=${total%% *} ;;
    esac
    echo "$line"
  done <"$work/told" >"$work/said"
  wait "$engagement" || { tail -5 "$work/said" >&2; die "failed: $*"; }
  kill -KILL "${nodes[victim]}" 2>/dev/null || true
  wait "${nodes[victim]}" 2>/dev/null || true
  unset 'nodes[victim]'
  local after retried
  # Several lines arrive together: the victim's lines before the kill count too.
  after=$(awk -v at="$before" '/^completed /{ n++ } n > at && / by victim$/{ v++ } END { print v + 0 }' "$work/said")
  retried=$(sed -n 's/.* \([0-9]*\) retried,.*/\1/p' "$work/said")
  if ((before < 0)); then
    note="the kill did not hit: the node completed nothing"
  elif grep -q ' disconnected victim' "$work/said"; then
    note="killed at completion $before of $total; $after more of its results arrived, $retried retried"
  else
    note="the kill did not hit: the run was over"
  fi
}

check_cuts() {
  say "${image##*/}${cleaning[*]:+ ${cleaning[*]}}"
  engage --sector-size 512
  mv "$work/catalogue.csv" "$work/reference.csv"
  echo "${image##*/}${cleaning[*]:+ ${cleaning[*]}}: $(($(wc -l <"$work/reference.csv") - 1)) sources"
  local size systems
  for size in 128 256 512 1024 4096; do
    engage --sector-size "$size"
    compare "sectors of $size" ""
  done
  for systems in a "a b" "a b c d"; do
    # shellcheck disable=SC2086 # names
    engage --sector-size 128 --no-local --peers "$(peers $systems)" --wait-for "$(wc -w <<<"$systems")"
    compare "remote systems: $(wc -w <<<"$systems")" "$(sed -n 's/.* systems\{0,1\} (\([^)]*\)).*/\1/p' "$work/said")"
  done
  engage_and_kill
  compare "3 systems, 1 killed" "$note"
}

for image in "${images[@]}"; do
  cleaning=()
  check_cuts
  cleaning=(--clean)
  check_cuts
done

echo
if ((differing > 0)); then
  echo "$differing catalogues differ"
  exit 1
fi
echo "all catalogues are the same"
