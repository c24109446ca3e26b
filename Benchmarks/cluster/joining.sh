# shellcheck shell=bash
#: joining [ROUNDS]
#: The time until an engagement works with two idle nodes that it finds by DNS-SD: from the start of its
#: process to both connections, and to the first result of a half-second scan from each.
#
# ROUNDS is 5 by default. If no Avahi daemon runs, the script uses a private one on loopback, which
# needs root.

rounds=${1:-5}
need_rounds "$rounds"
if ! has_avahi; then
  can_be_root || skip "no Avahi daemon runs, and neither root nor sudo is there to start one"
  install_for_discovery
  root=$PWD
  # Paths in the environment are relative to that folder.
  cd "$started_in" || exit 2
  exec "$root/deploy/with-avahi" "$root/Benchmarks/run" joining "$@"
fi
need_skynet
found_by=()
start_node a --slots 4
start_node b --slots 4

for ((round = 1; round <= rounds; round++)); do
  begin=$EPOCHREALTIME
  "$skynet" engage --no-local --wait-for 2 --total 8 --scan-seconds 0.5 --failing-every 0 2>&1 \
    | while read -r line; do echo "$EPOCHREALTIME $line"; done >"$work/told" || die "the engagement failed"
  read -r connected first < <(awk -v begin="$begin" '
    $3 == "connected" { connected = $1 - begin }
    $2 == "completed" && !($NF in first) { first[$NF] = 1; last = $1 - begin }
    END { printf "%.3f %.3f\n", connected, last }' "$work/told")
  note connected "$connected"
  note first "$first"
  printf 'connected to both after %.2f s, a result from each after %.2f s\n' "$connected" "$first"
done
say "an engagement beside two idle nodes"
median connected "%.2f s" "connected to both"
median first "%.2f s" "a result of a half-second scan from each"
