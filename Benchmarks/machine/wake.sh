# shellcheck shell=bash
#: wake [ROUNDS]
#: A lower bound for any program on this machine: the round trip of 140 bytes over loopback between two
#: processes that sleep until bytes arrive; and for comparison with processes that poll.
#
# ROUNDS is 5 by default, of 20,000 round trips each. The difference is the time to wake two
# threads.

rounds=${1:-5}
need_rounds "$rounds"
need_c
need_work
compile wake

for ((round = 1; round <= rounds; round++)); do
  for way in sleep spin; do
    # With `spin` each process needs a processor to itself.
    read -r p50 p99 < <("$work/wake" 20000 "${way/sleep/}")
    note "$way-p50" "$p50"
    note "$way-p99" "$p99"
    printf '%s: p50 %.1f µs, p99 %.1f µs\n' "$way" "$p50" "$p99"
  done
done
say "there and back"
median sleep-p50 "%.1f µs" "sleeping, p50"
median sleep-p99 "%.1f µs" "sleeping, p99"
median spin-p50 "%.1f µs" "spinning, p50"
median spin-p99 "%.1f µs" "spinning, p99"
