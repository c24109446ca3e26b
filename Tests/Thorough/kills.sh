# shellcheck shell=bash
#: kills [KILLS [FRAMES]]
#: Kills a night's coordinator and nodes in turns, while two frames are truncated, one is replaced in mid-run, and
#: outputs vanish: every other catalogue must be the bytes of a run of its frame alone at any time, no catalogue may
#: be partial or missing at the end, and the list of failures must be right.
#
# By default there are 20 kills and 400 frames. One node reads the frames itself, the other one is
# sent their pixels. Each kill comes after some more frames, and a random time later: SKYNET_SEED
# repeats these times. SKYNET_BINARY names the program, if it is already built.

kills=${1:-20} frames=${2:-400}
for number in "$kills" "$frames"; do
  [[ $number =~ ^[1-9][0-9]{0,3}$ ]] || { echo "${0##*/}: '$number' is no number from 1 to 9999" >&2; exit 64; }
done
((frames >= 2 * kills && frames >= 20)) \
  || { echo "${0##*/}: $frames frames are too few for $kills kills" >&2; exit 64; }

skynet=${SKYNET_BINARY:-}
if [[ -z $skynet ]]; then
  need_swift
  install_for_build
  say "building"
  build_release skynet >&2
  skynet=$PWD/.build-release/release/skynet
fi
work=$(mktemp -d -t skynet-kills.XXXXXX)
declare -A nodes=() ports=()
coordinator=
clean_up() {
  [[ -z $coordinator ]] || kill -KILL "$coordinator" 2>/dev/null || true
  ((${#nodes[@]} == 0)) || kill -KILL "${nodes[@]}" 2>/dev/null || true
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
export XDG_CONFIG_HOME=$work/account
RANDOM=${SKYNET_SEED:-$$}
echo "seed ${SKYNET_SEED:-$$}"

fail() { # WORDS
  tail -n 50 "$work/said" >&2
  echo "kills: $*" >&2
  exit 1
}

mkdir "$work/night" "$work/nothing" "$work/alone" "$work/out"
say "$frames frames, each scanned alone"
for ((i = 1; i <= frames; i++)); do
  name=$(printf frame-%04d "$i")
  "$skynet" make-sky "$work/night/$name.fits" --size 1024 --stars 3000 --seed "$i" 2>"$work/said" \
    || fail "no frame could be made"
  "$skynet" engage --image "$work/night/$name.fits" --no-discovery --slots 1 \
    --catalog "$work/alone/$name.csv" 2>"$work/said" || fail "$name could not be scanned alone"
done
# One that is scanned early is replaced, so that a later coordinator has to notice.
replaced=frame-0002
"$skynet" make-sky "$work/other.fits" --size 1024 --stars 3000 --seed 9999 2>"$work/said" || fail "no frame could be made"
"$skynet" engage --image "$work/other.fits" --no-discovery --slots 1 --catalog "$work/other.csv" 2>"$work/said" \
  || fail "the other frame could not be scanned"
readonly truncated=(frame-0005 "$(printf frame-%04d $((frames - 3)))")
for name in "${truncated[@]}"; do
  truncate -s 1000000 "$work/night/$name.fits"
  rm "$work/alone/$name.csv"
done

start_node() { # NAME DATA
  local port=()
  [[ -z ${ports[$1]:-} ]] || port=(--port "${ports[$1]}")
  rm -f "$work/$1.log"
  "$skynet" node --name "$1" --host 127.0.0.1 ${port[@]+"${port[@]}"} --no-discovery --slots 1 \
    --data "$2" --log-level warning 2>"$work/$1.log" &
  nodes[$1]=$!
  for _ in {1..200}; do
    ports[$1]=$(awk '/ ready on port /{ print $6 }' "$work/$1.log" 2>/dev/null || true)
    [[ -z ${ports[$1]} ]] || return 0
    sleep 0.05
  done
  cat "$work/$1.log" >&2
  fail "node $1 did not start"
}

readonly night=("$skynet" engage --image "$work"/night/*.fits --catalog "$work/out/{name}.csv" --no-discovery
  --no-local --journal "$work/night.sqlite" --summary "$work/summary.csv")
start_coordinator() {
  "${night[@]}" --peers "127.0.0.1:${ports[reader]},127.0.0.1:${ports[fed]}" 2>"$work/said" &
  coordinator=$!
}

count() { find "$work/out" -name '*.csv' | wc -l; }

# What is there must be whole and right, whenever it is looked at.
check() {
  local file name
  for file in "$work"/out/*.csv; do
    [[ -e $file ]] || continue
    name=${file##*/}
    name=${name%.csv}
    [[ ! -e $work/alone/$name.csv ]] || ! cmp -s "$file" "$work/alone/$name.csv" || continue
    [[ $name == "$replaced" ]] && cmp -s "$file" "$work/other.csv" && continue
    [[ -n ${emptied[$name]:-} && ! -s $file ]] && continue
    fail "$name.csv is not the catalogue of its frame alone"
  done
}

# Somebody removes an output of the night, and empties another one.
declare -A emptied=()
declare -i vanished=0
vanish() {
  local file name how=rm
  while read -r file; do
    name=${file##*/}
    name=${name%.csv}
    [[ $name != "$replaced" ]] || continue
    if [[ $how == rm ]]; then rm "$file"; else : >"$file" && emptied[$name]=1; fi
    vanished+=1
    [[ $how == rm ]] || return 0
    how=empty
  done < <(find "$work/out" -name '*.csv' | shuf -n 3 --random-source=<(yes "$RANDOM"))
}

say "the night, killed $kills times"
start_node reader "$work/night"
start_node fed "$work/nothing"
start_coordinator
declare -i coordinators=0 killed=0 idle
is_replaced=
for ((kill = 1; kill <= kills; kill++)); do
  goal=$((kill * (frames - 4) / (kills + 1)))
  for ((idle = 0; idle < 6000; idle++)); do
    (($(count) < goal)) || break
    kill -0 "$coordinator" 2>/dev/null || break
    sleep 0.01
  done
  ((idle < 6000)) || fail "nothing was scanned for a minute"
  if [[ -z $is_replaced && -e $work/out/$replaced.csv ]] && ((kill > kills / 3)); then
    mv "$work/other.fits" "$work/night/$replaced.fits"
    is_replaced=1
  fi
  sleep "0.0$((RANDOM % 100 + 100))"
  victim=$((kill % 3))
  case $victim in
    1)
      kill -KILL "$coordinator" 2>/dev/null || fail "the night was over before kill $kill"
      wait "$coordinator" 2>/dev/null || true
      coordinators+=1
      check
      vanish
      start_coordinator
      ;;
    *)
      name=$([[ $victim == 2 ]] && echo reader || echo fed)
      kill -KILL "${nodes[$name]}"
      wait "${nodes[$name]}" 2>/dev/null || true
      killed+=1
      check
      start_node "$name" "$([[ $name == reader ]] && echo "$work/night" || echo "$work/nothing")"
      ;;
  esac
done
[[ -n $is_replaced ]] || fail "no frame was replaced"
status=0
wait "$coordinator" || status=$?
# A coordinator that began after the replacement must have noticed it: the last one may not have.
vanish
"${night[@]}" --peers "127.0.0.1:${ports[reader]},127.0.0.1:${ports[fed]}" 2>"$work/again" && again=0 || again=$?
coordinator=
tail -n 5 "$work/said"

say "what is there"
emptied=()
check
for file in "$work"/alone/*.csv; do
  [[ -e $work/out/${file##*/} ]] || fail "${file##*/} is missing"
done
(($(count) == frames - 2)) || fail "there are $(count) catalogues, not $((frames - 2))"
cmp -s "$work/out/$replaced.csv" "$work/other.csv" || fail "the replaced frame has the catalogue of the former one"
((status == 1 && again == 1)) || fail "the exit status is $status and then $again, not 1"
for said in said again; do
  mapfile -t failed < <(sed -n 's/^no catalogue: .*\/\(frame-[0-9]*\)\.fits: .*/\1/p' "$work/$said" | sort -u)
  [[ ${failed[*]} == "${truncated[*]}" ]] || fail "the failures are '${failed[*]}', not '${truncated[*]}'"
done
rows=$(($(wc -l <"$work/summary.csv") - 1))
((rows == frames)) || fail "the summary has $rows rows, not $frames"
mapfile -t failed < <(awk -F, 'NR > 1 && $2 != "done" { print $1 }' "$work/summary.csv" | sed 's/.*\///; s/\.fits$//')
[[ ${failed[*]} == "${truncated[*]}" ]] || fail "the summary's failures are '${failed[*]}', not '${truncated[*]}'"
echo "$coordinators coordinators and $killed nodes were killed, and $vanished outputs vanished: all" \
  "$((frames - 2)) catalogues are right," \
  "and both truncated frames are told"
