# shellcheck shell=bash
#: programs [ROUNDS [TASKS [OUTPUTS]]]
#: Programs per second: `true` on one node of two slots over loopback, with a journal, in turns with `xargs -P2`,
#: GNU parallel -j2 and HyperQueue; `sleep 1` 200 times on two nodes of four slots; and outputs that become files of one
#: folder, with a journal, beside the same outputs in `--results` without one.
#: Target: at least 0.7 times the tasks per second of xargs, 3 times those of parallel, 2 times those of
#: HyperQueue; `sleep 1` in at most 1.01 times the least time; files in at most 1.5 times the time of `--results`, and
#: ten times as many in the same memory.
#
# By default 5 rounds of 10,000 tasks and 20,000 outputs, of three minutes each. parallel and HyperQueue, which are
# slower, do a tenth and a fifth of them. SkyNet's time is the whole command's, from its start to its end, as that of
# xargs and parallel is; that of its summary, without start and connection, is printed beside it, since HyperQueue's has
# no start either.
# `sleep 1` is by the summary, from the first hand-out to the last result.
#
# A peer that is not installed is skipped: Debian's parallel, PyPI's hyperqueue.
# SKYNET_BINARY=none measures the peers alone.

rounds=${1:-5}
tasks=${2:-10000}
outputs=${3:-20000}
need_rounds "$rounds"
need_count TASKS "$tasks"
need_count OUTPUTS "$outputs"
readonly sleeps=200
readonly programs=$PWD/Benchmarks/peers

if [[ ${SKYNET_BINARY:-} == none ]]; then
  skynet=
  need_work
else
  need_skynet
fi

# parallel asks, in a terminal, to be cited; this file is what `parallel --citation` makes.
export PARALLEL_HOME=$work/parallel
mkdir "$PARALLEL_HOME"
touch "$PARALLEL_HOME/will-cite"

there=(xargs)
offer() { # NAME HOW-TO-INSTALL CHECK...
  if "${@:3}" >/dev/null 2>&1; then
    there+=("$1")
  else
    echo "$1 is not installed, and left out: $2" >&2
  fi
}
offer parallel "apt-get install parallel" type -P parallel
offer hyperqueue "$python -m pip install hyperqueue in a virtual environment, and name its python in SKYNET_PYTHON" \
  has_python hyperqueue

# Stores in `taken` the seconds that a command takes.
time_of() { # COMMAND...
  local begin=$EPOCHREALTIME
  "$@" >"$work/printed" 2>"$work/said" || { tail -n 20 "$work/said" >&2; die "failed: $*"; }
  taken=$(calculate "$EPOCHREALTIME - $begin")
}

# Stores in `rate` a peer's tasks per second.
measure_peer() { # NAME
  local count=$tasks
  case $1 in
    xargs)
      # shellcheck disable=SC2016 # the inner shell expands them
      time_of bash -c 'seq "$1" | xargs -P2 -n1 true' bash "$count"
      ;;
    parallel)
      count=$(((tasks + 9) / 10))
      # shellcheck disable=SC2016
      time_of bash -c 'seq "$1" | parallel -j2 true {}' bash "$count"
      ;;
    hyperqueue)
      count=$(((tasks + 4) / 5))
      time_of env PYTHONPATH="$PYTHONPATH:$programs" "$python" "$programs/hyperqueue_tasks.py" "$count"
      rate=$(awk '$1 == "tasks_per_s" { print $2 }' "$work/printed")
      [[ -n $rate ]] || { cat "$work/said" >&2; die "HyperQueue printed no figure"; }
      return
      ;;
  esac
  rate=$(calculate "$count / $taken")
}

# What an engagement is run under.
under=()

# An engagement that leaves the programs to nodes.
engage_programs() { # NAME,NAME... OPTION... -- WORD...
  local names
  IFS=, read -ra names <<<"$1"
  "${under[@]}" "$skynet" engage --no-discovery --no-local --peers "$(peers "${names[@]}")" --wait-for "${#names[@]}" "${@:2}"
}

measure_skynet() {
  rm -f "$work"/journal.*
  time_of engage_programs two --total "$tasks" --journal "$work/journal.sqlite" -- true
  rate=$(calculate "$tasks / $taken")
  inside=$(calculate "$tasks / $(summary_seconds "$work/said")")
}

# Stores in `taken` the seconds, and in `peak` the memory in MiB, of an engagement whose outputs become files.
write_files() { # COUNT
  # Some file systems pass over what was removed lately, one inode after the other, so nothing is removed.
  local folder
  folder=$(mktemp -d "$work/files.XXXXXX")
  time_of engage_programs two --total "$1" --output "$folder/out/{}.txt" --journal "$folder/journal.sqlite" -- echo '{}'
  peak=$(awk '{ print $3 / 1024 }' "$work/usage")
}

measure_files() {
  local results few under=("$python" Benchmarks/support/usage.py "$work/usage")
  time_of engage_programs two --total "$outputs" --results "$work/results.jsonl" -- echo '{}'
  results=$taken
  write_files $(((outputs + 9) / 10))
  few=$peak
  write_files "$outputs"
  note files "$(calculate "$taken / $results")"
  note files-peak "$peak"
  note files-growth "$(calculate "$peak / $few")"
  printf '%d outputs: %.1f s as results, %.1f s as files with a journal; peak %.1f MiB, of a tenth %.1f MiB\n' \
    "$outputs" "$results" "$taken" "$peak" "$few"
}

measure_sleeps() {
  local least=$((sleeps / 8)) seconds
  time_of engage_programs left,right --total "$sleeps" -- sleep 1
  seconds=$(summary_seconds "$work/said")
  note sleep "$(calculate "$seconds / $least")"
  printf '%d times sleep 1 in %.3f s, least %d s: %.4f\n' "$sleeps" "$seconds" "$least" \
    "$(calculate "$seconds / $least")"
}

if [[ -n $skynet ]]; then
  start_node two --slots 2
  start_node left --slots 4
  start_node right --slots 4
fi

for ((round = 1; round <= rounds; round++)); do
  say "round $round of $rounds"
  if [[ -n $skynet ]]; then
    measure_skynet
    ours=$rate
    note rate "$ours"
    note inside "$inside"
    printf 'skynet %.0f tasks/s, %.0f by its summary\n' "$ours" "$inside"
  fi
  for peer in "${there[@]}"; do
    measure_peer "$peer"
    note "$peer-rate" "$rate"
    printf '%s %.0f tasks/s\n' "$peer" "$rate"
    [[ -z $skynet ]] || note "$peer" "$(calculate "$ours / $rate")"
  done
  [[ -z $skynet ]] || { measure_sleeps; measure_files; }
done

say "$tasks times true, two at a time"
summary() { # NAME FORMAT WORDS [TARGET]
  if has_noted "$1"; then median "$@"; fi
}
summary rate %.0f "tasks/s"
summary inside %.0f "  by the summary, without start and connection"
summary xargs-rate %.0f "tasks/s of xargs -P2"
summary xargs %.2f "  of which SkyNet's are" 0.7
summary parallel-rate %.0f "tasks/s of parallel -j2"
summary parallel %.1f "  of which SkyNet's are" 3
summary hyperqueue-rate %.0f "tasks/s of HyperQueue"
summary hyperqueue %.1f "  of which SkyNet's are" 2
summary files %.2f "$outputs outputs as files with a journal, divided by the time as results" 1.5
summary files-peak %.1f "  peak of memory, MiB"
summary files-growth %.2f "  divided by that of a tenth" 1.1
summary sleep %.4f "$sleeps times sleep 1, divided by the least time" 1.01
