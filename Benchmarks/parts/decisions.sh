# shellcheck shell=bash
#: decisions [ROUNDS]
#: The cost of the deciding structs in an engagement of a million tasks, without actors, messages and scans:
#: the time of an event with 10 systems and with 1,000.
#: Target: under 2 µs with 1,000 systems, and at most 1.5 times the time with 10.
#
# ROUNDS is 5 by default. The measurement is in Sources/SkyNetBench/Decisions.swift.

rounds=${1:-5}
need_rounds "$rounds"
need_bench

say "$rounds rounds"
for ((round = 1; round <= rounds; round++)); do
  "$bench" decisions >"$work/said" || die "the decisions went wrong"
  cat "$work/said"
  cat "$work/said" >>"$work/rounds"
done

# The figures behind FIGURE in lines that begin with LINE, every STEP-th from FROM.
summary() { # WORDS LINE FIGURE FROM STEP FORMAT [TARGET]
  local name=${1// /-}
  grep "^ *$2:" "$work/rounds" | awk -v from="$4" -v step="$5" 'NR % step == from % step' \
    | sed -E "s/.*$3 ([0-9.]+).*/\1/" >"$work/noted.$name"
  median "$name" "$6" "$1" "${7:-}"
}

say "an event"
for part in engagement roster together; do
  summary "among 10 systems, $part" "an event" "$part" 1 2 "%.0f ns"
  summary "among 1000 systems, $part" "an event" "$part" 2 2 "%.0f ns" \
    "$([[ $part != together ]] || echo "2000 ns")"
done
for part in engagement roster together; do
  summary "ratio, $part" ratio "$part" 1 1 %.2f "$([[ $part != together ]] || echo 1.5)"
done
