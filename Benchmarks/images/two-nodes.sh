# shellcheck shell=bash
#: two-nodes [ROUNDS]
#: Scans an image over two nodes of one slot each, on this machine, which should have two cores: the share of
#: the cores that the run uses, and its processor time (coordinator and nodes) divided by that of a scan on
#: one system alone.
#: Target: at least 0.9 of two cores, at most 1.3 times the processor time.
#
# ROUNDS is 3 by default. The script makes the image, of 8192 x 8192 pixels with 40,000 stars. It
# also prints how much other processes use the cores: beside much other work the first figure means
# little.

rounds=${1:-3}
need_rounds "$rounds"

need_python
need_proc
need_skynet
run "$skynet" make-sky "$work/sky.fits" --size 8192 --stars 40000 --seed 8
start_node a --slots 1
start_node b --slots 1

alone=("$skynet" engage --image "$work/sky.fits" --no-discovery --slots 1 --catalog "$work/alone.csv")
shared=("$skynet" engage --image "$work/sky.fits" --no-discovery --no-local --peers "$(peers a b)"
  --wait-for 2 --catalog "$work/shared.csv")
for ((round = 1; round <= rounds; round++)); do
  say "round $round of $rounds"
  run "$python" Benchmarks/support/usage.py "$work/usage" "${alone[@]}"
  echo "alone: $(tail -1 "$work/said")"
  read -r one elapsed _ <"$work/usage"
  echo "\$ ${shared[*]}" >&2
  printf 'two nodes: '
  "$python" "$here/two_nodes.py" "$work/total" "${nodes[a]},${nodes[b]}" "${shared[@]}" || die "failed: ${shared[*]}"
  read -r all <"$work/total"
  cmp -s "$work/alone.csv" "$work/shared.csv" || die "the catalogues differ"
  awk -v all="$all" -v one="$one" 'BEGIN {
    printf "  %.2f s of processor time in all, %.2f s alone: %.2f times (target 1.30)\n", all, one, all / one }'
done
