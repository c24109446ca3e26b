#!/bin/bash
# Sourced by Benchmarks/run: starts nodes on loopback, and engages them.

declare -A nodes=() endpoints=()
# Where the next node runs: a command that starts it, its address, and how it is found.
on=() address=127.0.0.1 found_by=(--no-discovery)

clean_up() {
  local name
  for name in "${!nodes[@]}"; do stop_node "$name"; done
  rm -rf "${work:-}"
}

stop_node() { # NAME
  kill -TERM "${nodes[$1]}" 2>/dev/null || true
  wait "${nodes[$1]}" 2>/dev/null || true
  unset "nodes[$1]"
}

# Stores its process in `nodes[NAME]` and host:port in `endpoints[NAME]`.
start_node() { # NAME OPTION...
  local name=$1 port
  shift
  # The log of an earlier node of this name has another port in it.
  rm -f "$work/$name.log"
  ${on[@]+"${on[@]}"} "$skynet" node --name "$name" --host "$address" ${found_by[@]+"${found_by[@]}"} \
    --log-level warning "$@" 2>"$work/$name.log" &
  nodes[$name]=$!
  within 10 grep -qs ' ready on port [0-9]' "$work/$name.log" || { cat "$work/$name.log" >&2; die "node $name did not start"; }
  port=$(awk '/ ready on port /{ print $6 }' "$work/$name.log")
  endpoints[$name]=$address:$port
}

# host:port,… of nodes.
peers() { # NAME...
  local name list=
  for name; do list+=,${endpoints[$name]}; done
  echo "${list#,}"
}

# Prints a command and runs it; shows its output only if it fails.
run() { # COMMAND...
  echo "\$ $*" >&2
  if ! "$@" 2>"$work/said"; then
    tail -n 100 "$work/said" >&2
    die "failed: $*"
  fi
}

# Stores in `engagement` the command that lets only nodes make simulated scans, none of which fail.
engagement_of() { # NAME,NAME... OPTION...
  local names
  IFS=, read -ra names <<<"$1"
  engagement=("$skynet" engage --no-discovery --no-local --peers "$(peers "${names[@]}")"
    --wait-for "${#names[@]}" --failing-every 0 "${@:2}")
}

# Runs it, and stores in `seconds` the time of its summary.
engage_nodes() { # NAME,NAME... OPTION...
  engagement_of "$@"
  run "${engagement[@]}"
  seconds=$(summary_seconds "$work/said")
}

# Hands out tasks of no length one at a time: each is sent after the previous answer. Stores the
# microseconds of a task in `p50` and `p99`.
engage_singly() { # NODE TASKS
  engage_nodes "$1" --total "$2" --scan-seconds 0 --in-flight 1 --latency
  read -r p50 p99 < <(sed -n 's/^latency: p50 \([0-9.]*\) µs, p99 \([0-9.]*\) µs$/\1 \2/p' "$work/said") \
    || die "there was no line \"latency: p50 … µs, p99 … µs\""
}

summary_seconds() { # FILE
  tail -n 9 "$1" | awk '/^[0-9]+ of [0-9]+ sectors in /{ seconds = $6 } END { print seconds }'
}

# The memory of a process, in MiB: VmRSS for now, VmHWM for the peak.
memory() { # PID FIELD
  awk -v field="$2:" '$1 == field { printf "%.1f", $2 / 1024 }' "/proc/$1/status"
}

# The private memory of a process, in MiB.
private_memory() { # PID
  awk '/^Private_/ { sum += $2 } END { printf "%.1f", sum / 1024 }' "/proc/$1/smaps_rollup"
}

# The processor time of a process in seconds: from its threads' scheduler statistics if the kernel
# has them, since user and system time have only hundredths of a second.
processor_time() { # PID
  if [[ -r /proc/$1/task/$1/schedstat ]]; then
    cat /proc/"$1"/task/*/schedstat | awk '{ sum += $1 } END { printf "%.6f", sum / 1e9 }'
  else
    # The name, in parentheses, may have spaces; user and system time are the 14th and 15th field.
    sed 's/.*) //' "/proc/$1/stat" | awk -v ticks="$(getconf CLK_TCK)" '{ printf "%.6f", ($12 + $13) / ticks }'
  fi
}
