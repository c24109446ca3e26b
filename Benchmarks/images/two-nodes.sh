# shellcheck shell=bash
#: two-nodes [ROUNDS]
#: Scans an image over two nodes of one slot each, on this machine, which should have two cores: the share of
#: the cores that the run uses, and its processor time (coordinator and nodes) divided by that of a scan on
#: one system alone; where the nodes read the image themselves, and where its pixels are sent to them.
#: Target: at least 0.9 of two cores; at most 1.08 times the processor time by reference, 1.25 times pushed.
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
# Nodes that do not read the image are sent its pixels.
mkdir "$work/nothing"
start_node c --slots 1 --data "$work/nothing"
start_node d --slots 1 --data "$work/nothing"

alone=("$skynet" engage --image "$work/sky.fits" --no-discovery --slots 1 --catalog "$work/alone.csv")
shared=("$skynet" engage --image "$work/sky.fits" --no-discovery --no-local --wait-for 2
  --catalog "$work/shared.csv" --peers)
on_two() { # NAME NODE NODE TARGET
  echo "\$ ${shared[*]} $(peers "$2" "$3")" >&2
  printf '%s: ' "$1"
  "$python" "$here/two_nodes.py" "$work/total" "${nodes[$2]},${nodes[$3]}" "${shared[@]}" "$(peers "$2" "$3")" \
    || die "failed: ${shared[*]}"
  read -r all <"$work/total"
  cmp -s "$work/alone.csv" "$work/shared.csv" || die "the catalogues differ"
  awk -v all="$all" -v one="$one" -v target="$4" 'BEGIN {
    printf "  %.2f s of processor time in all, %.2f s alone: %.2f times (target %s)\n", all, one, all / one, target }'
  note "$1" "$(calculate "$all / $one")"
}
for ((round = 1; round <= rounds; round++)); do
  say "round $round of $rounds"
  run "$python" Benchmarks/support/usage.py "$work/usage" "${alone[@]}"
  echo "alone: $(tail -1 "$work/said")"
  read -r one _ <"$work/usage"
  on_two reference a b 1.08
  on_two pushed c d 1.25
done
median reference %.2f "processor time by reference, over one system alone" 1.08
median pushed %.2f "processor time with pushed pixels, over one system alone" 1.25
