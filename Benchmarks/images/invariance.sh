# shellcheck shell=bash
#: invariance
#: One image, one catalogue: the file must be the same to the byte with any size of the sectors, on any
#: systems, and also if a node is killed meanwhile. Fails if one differs.
#
# Scans the images in the folder that SKYNET_TEST_DATA names, and one that the script makes, with all columns that
# `skynet sex -dp` prints: without cleaning and with, with local backgrounds, and with weights, for which numpy and
# astropy are needed.

find_images
need_skynet
run "$skynet" make-sky "$work/sky.fits" --size 2048 --stars 5000 --seed 21
images+=("$work/sky.fits")
for name in a b c d; do start_node "$name" --slots 1; done

served_columns
configure all "${served[@]}"

# The time of a run is no difference.
export SOURCE_DATE_EPOCH=0

differing=0
compare() { # CASE NOTE
  local verdict=same
  if ! cmp -s "$work/reference.fits" "$work/catalogue.fits"; then
    verdict=DIFFERS
    differing=$((differing + 1))
  fi
  printf '  %-28s %-8s %s\n' "$1" "$verdict" "$2"
}

# Stores in `command` a scan of `image` with `settings`.
command_of() { # OPTION...
  rm -f "$work/catalogue.fits"
  command=("$skynet" sex "$image" -c "$work/all.sex" "${catalogue_settings[@]}" "${settings[@]}"
    -CATALOG_NAME "$work/catalogue.fits" -CATALOG_TYPE FITS_LDAC -VERBOSE_TYPE NORMAL --no-discovery "$@")
}

scan() { # OPTION...
  command_of "$@"
  run "${command[@]}"
}

# Kills node `victim` at the line of its first result. Stores a description in `note`.
scan_and_kill() {
  local engagement line before=-1 completed=0 total=0
  [[ -p $work/told ]] || mkfifo "$work/told"
  start_node victim --slots 1
  command_of --slots 1 --sector-size 64 --peers "$(peers a victim)" --wait-for 2
  echo "\$ ${command[*]} (and kill -KILL ${nodes[victim]})" >&2
  "${command[@]}" 2>"$work/told" &
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
  wait "$engagement" || { tail -5 "$work/said" >&2; die "failed: ${command[*]}"; }
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

check_cuts() { # KIND [KEYWORD VALUE]...
  local kind="${image##*/}, $1"
  settings=("${@:2}")
  say "$kind"
  scan --sector-size 512
  mv "$work/catalogue.fits" "$work/reference.fits"
  echo "$kind: $(sed -n 's/^wrote .*: \([0-9]* sources\)$/\1/p' "$work/said"), ${#served[@]} columns"
  local size systems
  for size in 128 256 512 1024 4096; do
    scan --sector-size "$size"
    compare "sectors of $size" ""
  done
  for systems in a "a b" "a b c d"; do
    # shellcheck disable=SC2086 # names
    scan --sector-size 128 --no-local --peers "$(peers $systems)" --wait-for "$(wc -w <<<"$systems")"
    compare "remote systems: $(wc -w <<<"$systems")" "$(sed -n 's/.* systems\{0,1\} (\([^)]*\)).*/\1/p' "$work/said")"
  done
  scan_and_kill
  compare "3 systems, 1 killed" "$note"
}

# Whether skynet takes settings that it may not have yet.
takes() { # KEYWORD VALUE
  image=$work/sky.fits settings=("$@")
  command_of
  "${command[@]}" 2>"$work/said" && return
  grep -q -- "${1#-}" "$work/said" || { cat "$work/said" >&2; die "failed: ${command[*]}"; }
  echo "${1#-} $2 is refused: left out" >&2
  return 1
}

has_local=no has_weights=no
! takes -BACKPHOTO_TYPE LOCAL || has_local=yes
if has_python numpy astropy; then has_weights=yes; else echo "there is no numpy and astropy: weights are left out" >&2; fi

for image in "${images[@]}"; do
  check_cuts "not cleaned" -CLEAN N
  check_cuts cleaned -CLEAN Y
  [[ $has_local == no ]] || check_cuts "local backgrounds" -CLEAN Y -BACKPHOTO_TYPE LOCAL
  if [[ $has_weights == yes ]]; then
    rm -f "$work/weights.fits"
    run "$python" -W ignore "$here/weights.py" "$image" "$work/weights.fits"
    check_cuts weighted -CLEAN Y -WEIGHT_TYPE MAP_WEIGHT -WEIGHT_IMAGE "$work/weights.fits"
  fi
done

echo
if ((differing > 0)); then
  echo "$differing catalogues differ"
  exit 1
fi
echo "all catalogues are the same"
