# shellcheck shell=bash
#: versus BINARY [ROUNDS]
#: Compares this build of skynet with another one, in turns: tasks per second, the time of a single task,
#: makespans, bytes per second, and the processor time of the scan of an image.
#: Target: this build at least 0.9 times as fast in each. A control tells what the figures are worth: a second
#: set of the other build's processes, which should come out as 1.
#
# BINARY is the other build's `skynet`, such as that of the commit before a change. ROUNDS is 5 by
# default, of three minutes each. SKYNET_BINARY names this build's program.

[[ -n ${1:-} ]] || die "which other build? Give its skynet"
other=$(absolute "$1")
[[ -x $other ]] || die "$other is no program"
rounds=${2:-5}
need_rounds "$rounds"
need_python
need_skynet
readonly tasks=200000 singles=10000 sectors=2000 bytes=$((512 * 512 * 2))
declare -rA builds=([this]=$skynet [other]=$other [control]=$other)

for build in this other control; do
  skynet=${builds[$build]}
  start_node "$build-a" --slots 4
  start_node "$build-b" --slots 4
  start_node "$build-c" --slots 4
  start_node "$build-slow" --slots 4 --speed 0.25
  start_node "$build-alone" --slots 1
  start_node "$build-plain" --slots 4 --insecure
done
run "${builds[this]}" make-sky "$work/sky.fits" --size 4096 --stars 20000 --seed 4

# All figures are speeds, so that more is better: times are inverted.
declare -A speed=()
measure() { # BUILD
  local cpu
  skynet=${builds[$1]}
  engage_nodes "$1-a" --total "$tasks" --scan-seconds 0
  speed[tasks]=$(calculate "$tasks / $seconds")
  engage_singly "$1-alone" "$singles"
  speed[p50]=$(calculate "1e6 / $p50")
  speed[p99]=$(calculate "1e6 / $p99")
  engage_nodes "$1-a,$1-b,$1-c" --total 6000 --scan-seconds 0.01
  speed[equal]=$(calculate "1 / $seconds")
  engage_nodes "$1-a,$1-b,$1-slow" --total 6000 --scan-seconds 0.01 --scan-spread 1.5 --seed "$round"
  speed[unequal]=$(calculate "1 / $seconds")
  engage_nodes "$1-plain" --insecure --total "$sectors" --scan-seconds 0 --sector-bytes "$bytes"
  speed[plain]=$(calculate "$sectors * $bytes / $seconds")
  engage_nodes "$1-a" --total "$sectors" --scan-seconds 0 --sector-bytes "$bytes"
  speed[secured]=$(calculate "$sectors * $bytes / $seconds")
  run "$python" Benchmarks/support/usage.py "$work/usage" "$skynet" engage --image "$work/sky.fits" \
    --no-discovery --slots 1 --catalog "$work/catalogue.csv"
  read -r cpu _ <"$work/usage"
  speed[image]=$(calculate "1 / $cpu")
}

declare -A words=([tasks]="tasks per second" [p50]="a single task, p50" [p99]="a single task, p99"
  [equal]="makespan, equal scans" [unequal]="makespan, unequal scans and speeds"
  [plain]="bytes per second, plain" [secured]="bytes per second, TLS" [image]="processor time of an image")
readonly kinds=(tasks p50 p99 equal unequal plain secured image)

for ((round = 1; round <= rounds; round++)); do
  say "round $round of $rounds"
  # The builds take turns to go first.
  order=(this other control this other)
  for build in "${order[@]:$((round % 3)):3}"; do
    measure "$build"
    for kind in "${kinds[@]}"; do printf '%s\n' "${speed[$kind]}" >"$work/$build.$kind"; done
  done
  for kind in "${kinds[@]}"; do
    for build in this control; do
      ratio=$(calculate "$(<"$work/$build.$kind") / $(<"$work/other.$kind")")
      note "$build-$kind" "$ratio"
      printf '%s: %s %.2f times as fast\n' "${words[$kind]}" "$build" "$ratio"
    done
  done
done
say "times as fast as the other build"
for kind in "${kinds[@]}"; do
  median "this-$kind" %.2f "${words[$kind]}" 0.9
  median "control-$kind" %.2f "  control"
done
