# shellcheck shell=bash
#: dispatch [ROUNDS [TASKS]]
#: Tasks of no length per second over one node, and the time of a single such task, in turns with Erlang/OTP,
#: Ray and Dask.
#: Target: at least 1.0, 20 and 60 times the tasks per second of Erlang, Ray and Dask; a single task at most
#: 1.5 times Erlang's median time and 4 times its 99th percentile.
#
# By default 5 rounds of 500,000 tasks, on loopback, SkyNet with TLS. Erlang makes as many calls,
# from 64 callers; Ray and Dask, which are slower, do 10,000 tasks. 20,000 tasks go one at a time,
# with Ray and Dask 300. The peers' programs are in Benchmarks/peers. A peer that is not installed
# is skipped: Debian's erlang-base, PyPI's ray and dask[distributed].

rounds=${1:-5}
tasks=${2:-500000}
need_rounds "$rounds"
need_count TASKS "$tasks"
readonly singles=20000 peer_tasks=10000 peer_singles=300
readonly programs=$PWD/Benchmarks/peers

# Fills `there` with the installed peers.
there=()
find_peers() {
  offer erlang "apt-get install erlang-base" type -P erlc
  offer ray "$python -m pip install ray, or name another python in SKYNET_PYTHON" has_python ray
  offer dask "$python -m pip install 'dask[distributed]', or name another python in SKYNET_PYTHON" \
    has_python distributed
}

offer() { # NAME HOW-TO-INSTALL CHECK...
  if "${@:3}" >/dev/null 2>&1; then
    there+=("$1")
  else
    echo "$1 is not installed, and left out: $2" >&2
  fi
}

# Stores in `said` the figures that a peer prints, one on each line.
measure_peer() { # NAME
  local command status=0
  case $1 in
    erlang) command=("$programs/erlang/measure" "$tasks" "$singles") ;;
    *) command=("$python" "$programs/$1_tasks.py" "$peer_tasks" "$peer_singles") ;;
  esac
  echo "\$ ${command[*]}" >&2
  setsid "${command[@]}" >"$work/printed" 2>"$work/said" &
  peer_group=$!
  wait "$peer_group" || status=$?
  end_peer
  # Ray prints warnings among its figures.
  said=$(grep -E '^[a-z0-9_]+ [0-9.]+$' "$work/printed" || true)
  if ((status != 0)) || [[ -z $(figure tasks_per_s) ]]; then
    cat "$work/said" >&2
    die "failed: ${command[*]}"
  fi
  echo "$1 ${said//$'\n'/ }"
}

# A process that a peer leaves behind in its group would take part in the rounds after it.
peer_group=
end_peer() {
  [[ -n $peer_group ]] || return 0
  kill -TERM -- "-$peer_group" 2>/dev/null || true
  for _ in {1..20}; do
    kill -0 -- "-$peer_group" 2>/dev/null || break
    sleep 0.1
  done
  kill -KILL -- "-$peer_group" 2>/dev/null || true
  peer_group=
}

figure() { # NAME
  awk -v name="$1" '$1 == name { print $2 }' <<<"$said"
}

need_skynet
trap 'end_peer; clean_up' EXIT
find_peers
start_node a --slots 4
start_node alone --slots 1

for ((round = 1; round <= rounds; round++)); do
  say "round $round of $rounds"
  engage_nodes a --total "$tasks" --scan-seconds 0
  rate=$(calculate "$tasks / $seconds")
  note rate "$rate"
  engage_singly alone "$singles"
  note p50 "$p50"
  note p99 "$p99"
  printf 'skynet p50_us %.1f p99_us %.1f tasks_per_s %.0f\n' "$p50" "$p99" "$rate"
  for peer in ${there[@]+"${there[@]}"}; do
    measure_peer "$peer"
    note "$peer-rate" "$(figure tasks_per_s)"
    note "$peer" "$(calculate "$rate / $(figure tasks_per_s)")"
    note "$peer-p50" "$(calculate "$p50 / $(figure p50_us)")"
    note "$peer-p99" "$(calculate "$p99 / $(figure p99_us)")"
    [[ $peer != ray ]] || note ray-actor "$(calculate "$rate / $(figure actor_tasks_per_s)")"
  done
done

say "$tasks tasks of no length"
summary() { # NAME FORMAT WORDS [TARGET]
  if has_noted "$1"; then median "$@"; fi
}
summary rate %.0f "tasks/s"
summary erlang-rate %.0f "Erlang's calls/s"
summary erlang %.2f "  of which SkyNet's tasks/s are" 1.0
summary ray %.1f "times Ray's tasks/s" 20
summary ray-actor %.1f "  and one actor's" 20
summary dask %.1f "times Dask's tasks/s" 60
summary p50 "%.1f µs" "one task at a time, p50"
summary erlang-p50 %.2f "  of Erlang's" 1.5
summary ray-p50 %.3f "  of Ray's"
summary dask-p50 %.3f "  of Dask's"
summary p99 "%.1f µs" "one task at a time, p99"
summary erlang-p99 %.2f "  of Erlang's" 4
