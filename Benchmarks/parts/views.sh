# shellcheck shell=bash
#: views [ROUNDS]
#: What the views of a run cost, with a million tasks on a hundred systems: the time of an event, and memory.
#: Target: 300 ns an event, 16 MiB.
#
# ROUNDS is 5 by default. The measurement is in Sources/SkyNetBench/Views.swift.

rounds=${1:-5}
need_rounds "$rounds"
need_bench

say "$rounds rounds"
for ((round = 1; round <= rounds; round++)); do
  "$bench" views >"$work/said" || die "the views went wrong"
  cat "$work/said"
  note event "$(sed -n 's/^ *an event: \([0-9.]*\) ns$/\1/p' "$work/said")"
  note memory "$(sed -n 's/^ *memory: \([0-9.]*\) MiB.*/\1/p' "$work/said")"
done
median event "%.0f ns" "an event" "300 ns"
median memory "%.1f MiB" memory "16 MiB"
