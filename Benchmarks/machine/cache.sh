# shellcheck shell=bash
#: cache [ROUNDS]
#: A lower bound for the decisions with 65,740 attempts in flight, as `decisions` has with 1,000 systems:
#: the time of one read from memory that is not in the processor's caches, for places of several sizes; and
#: for comparison with 670 places, as with 10 systems.
# ROUNDS is 5 by default.

rounds=${1:-5}
need_rounds "$rounds"
need_c
need_work
compile cache

readonly cases=("670 136" "65740 136" "65740 96" "65740 40" "65740 32")
for ((round = 1; round <= rounds; round++)); do
  for places in "${cases[@]}"; do
    # shellcheck disable=SC2086 # two numbers
    note "${places/ /-}" "$("$work/cache" $places)"
  done
done
say "a read"
for places in "${cases[@]}"; do
  median "${places/ /-}" "%.0f ns" "${places% *} places of ${places#* } bytes"
done
