# shellcheck shell=bash
#: slow-network [ROUNDS]
#: Sends an image's pixels to two nodes over networks of 10 Gbit/s, 1 Gbit/s and 250 Mbit/s: the run's time
#: divided by the time that its pixels alone would take there as they are. Below 1, they were packed on
#: their way. Needs root, for a network namespace.
#: Target: at most 0.7 at 1 Gbit/s and below.
#
# ROUNDS is 3 by default. The image has 8192 x 8192 pixels of 16 bits with 40,000 stars. A token bucket
# (tc-tbf) limits the loopback interface of a namespace of its own.

rounds=${1:-3}
need_rounds "$rounds"
need_python
[[ $EUID -eq 0 ]] || skip "not root: no network namespace"
type -P tc ip >/dev/null || skip "there are no ip and tc: apt-get install iproute2"
need_skynet

network=skynet-slow-$$
ip netns add "$network" || skip "no network namespace can be made here"
trap 'clean_up; ip netns del "$network"' EXIT
on=(ip netns exec "$network")
"${on[@]}" ip link set lo up
limit() { # RATE
  "${on[@]}" tc qdisc replace dev lo root tbf rate "$1" burst 512k latency 200ms
}
limit 10gbit 2>/dev/null || skip "this kernel has no token bucket (module sch_tbf)"

run "$skynet" make-sky "$work/sky.fits" --size 8192 --stars 40000 --seed 8
run "$skynet" engage --image "$work/sky.fits" --no-discovery --catalog "$work/alone.csv"
# Nodes that do not read the image are sent its pixels.
mkdir "$work/nothing"
start_node a --slots 1 --data "$work/nothing"
start_node b --slots 1 --data "$work/nothing"
for ((round = 1; round <= rounds; round++)); do
  say "round $round of $rounds"
  for rate in 10000 1000 250; do
    limit "${rate}mbit"
    run "${on[@]}" "$skynet" engage --image "$work/sky.fits" --no-discovery --no-local --peers "$(peers a b)" \
      --wait-for 2 --catalog "$work/shared.csv"
    cmp -s "$work/alone.csv" "$work/shared.csv" || die "the catalogues differ"
    seconds=$(summary_seconds "$work/said")
    # 8192 x 8192 pixels of 16 bits.
    ratio=$(awk -v seconds="$seconds" -v rate="$rate" 'BEGIN { printf "%.2f", seconds / (1073.74 / rate) }')
    echo "  $rate Mbit/s: $seconds s, $ratio of the time of the image's bytes as they are"
    note "$rate" "$ratio"
  done
done
median 10000 %.2f "10 Gbit/s"
median 1000 %.2f "1 Gbit/s" 0.7
median 250 %.2f "250 Mbit/s" 0.7
