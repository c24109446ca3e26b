# shellcheck shell=bash
#: wake [ROUNDS]
#: What no program can go below on this machine: the way there and back of 140 bytes between two processes
#: over loopback, which both sleep until bytes arrive; and beside it when both ask for them all the time.
#
# 5 rounds of 20,000 ways unless given. The difference is what waking two threads takes.

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
