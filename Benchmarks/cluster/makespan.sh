# shellcheck shell=bash
#: makespan [ROUNDS]
#: The time of an engagement divided by the least possible: equal scans on three nodes of four slots, and
#: scans of unequal length on three nodes of unequal speed.
#: Target: at most 1.03 (6,000 scans of 10 ms), 1.005 (240 scans of 1 s), 1.10 (unequal).
#
# ROUNDS is 5 by default, of two minutes each. Times are the summary's own, from the first hand-out
# to the last result.
#
# The least time of equal scans is a scan's length times the number of rounds in which all slots are
# filled. The 20,000 unequal scans have lognormal lengths (median 10 ms, sigma 1.5; another draw
# each round), on nodes of speed 1, 0.5 and 0.25: their least time is all work divided by all speed,
# or the longest scan on the fastest slot if that is longer.

rounds=${1:-5}
need_rounds "$rounds"
need_python
need_skynet

for name in a b c; do start_node "$name" --slots 4; done
start_node full --slots 4
start_node half --slots 4 --speed 0.5
start_node quarter --slots 4 --speed 0.25

compare() { # NAME LEAST WORDS
  local ratio
  ratio=$(calculate "$seconds / $2")
  note "$1" "$ratio"
  printf '%s in %.3f s, least %.3f s: %.4f\n' "$3" "$seconds" "$2" "$ratio"
}

equal() { # NAME SCANS SECONDS
  engage_nodes a,b,c --total "$2" --scan-seconds "$3"
  compare "$1" "$(calculate "int(($2 + 11) / 12) * $3")" "$2 scans of $3 s"
}

unequal() { # SEED
  local least
  least=$("$python" "$here/lengths.py" 20000 0.01 1.5 "$1" | awk '
    { sum += $1; if ($1 > longest) longest = $1 }
    END { least = sum / (4 * (1 + 0.5 + 0.25)); printf "%.6f", (longest > least ? longest : least) }')
  engage_nodes full,half,quarter --total 20000 --scan-seconds 0.01 --scan-spread 1.5 --seed "$1"
  compare unequal "$least" "20000 scans of unequal lengths"
}

for ((round = 1; round <= rounds; round++)); do
  say "round $round of $rounds"
  equal short 6000 0.01
  equal long 240 1
  unequal "$round"
done
say "time over the least possible"
median short %.4f "6000 scans of 10 ms" 1.03
median long %.4f "240 scans of 1 s" 1.005
median unequal %.4f "20000 scans of unequal lengths" 1.10
