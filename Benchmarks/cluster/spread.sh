# shellcheck shell=bash
#: spread
#: The demonstration of the README: 200 scans of a second over two nodes and the engagement itself, four
#: slots each, with one attempt in ten failing; undisturbed, and with a node that is killed, stopped, cut off
#: or added after 5 s.
#: Target: 17 s undisturbed, which is 17 rounds. Fails unless every sector has one result each time.
#
# A node is cut off on hosts of deploy/lab, which needs root: without it that part is skipped.

need_skynet
readonly lab=skynet-spread-$$
use_lab=no
free_nodes() {
  local name
  # A node that was stopped or cut off does not exit in order.
  for name in "${!nodes[@]}"; do
    kill -KILL "${nodes[$name]}" 2>/dev/null || true
    wait "${nodes[$name]}" 2>/dev/null || true
    unset "nodes[$name]"
  done
}
trap 'free_nodes; [[ $use_lab == no ]] || SKYNET_LAB=$lab deploy/lab down >&2 || true; clean_up' EXIT

# Engages two nodes, and disturbs the run after 5 s.
engage_and_disturb() { # CASE PEERS DISTURBANCE...
  local name=$1 engagement
  rm -f "$work/results.jsonl"
  ${on[@]+"${on[@]}"} "$skynet" engage --total 200 --slots 4 --wait-for 2 --no-discovery --peers "$2" \
    --results "$work/results.jsonl" >"$work/said" 2>&1 &
  engagement=$!
  sleep 5
  "${@:3}"
  wait "$engagement" || { tail -n 20 "$work/said" >&2; die "$name: the engagement failed"; }
  printf '%-10s %s\n' "$name" "$(tail -n 1 "$work/said")"
  [[ $(grep -c '"result"' "$work/results.jsonl") == 200 ]] || die "$name: there are not 200 results"
  [[ $(grep -o '"sector":[0-9]*' "$work/results.jsonl" | sort -u | wc -l) == 200 ]] \
    || die "$name: a sector has two results"
}

undisturbed() {
  start_node a --slots 4
  start_node b --slots 4
  engage_and_disturb "undisturbed" "$(peers a b)" true
  free_nodes
}

signal_node() { # SIGNAL
  kill -s "$1" "${nodes[b]}"
  # Otherwise bash would print a message about its end.
  [[ $1 != KILL ]] || wait "${nodes[b]}" 2>/dev/null || true
}

signalled() { # CASE SIGNAL
  start_node a --slots 4
  start_node b --slots 4
  engage_and_disturb "$1" "$(peers a b)" signal_node "$2"
  free_nodes
}

# From its beginning the engagement tries to connect to the third node, at its future port.
joined() {
  local third port
  start_node a --slots 4
  start_node b --slots 4
  start_node c --slots 4
  third=$(peers c)
  port=${third##*:}
  stop_node c
  engage_and_disturb "c joined" "$(peers a b),$third" start_node c --slots 4 --port "$port"
  free_nodes
}

cut_off() {
  if [[ $EUID -ne 0 ]]; then
    echo "not root: b is not cut off" >&2
    return
  fi
  use_lab=yes
  SKYNET_LAB=$lab deploy/lab up 3 --no-avahi >&2 || die "there is no lab of hosts"
  local host number=0
  for host in a b; do
    number=$((number + 1))
    on=(env "SKYNET_LAB=$lab" deploy/lab run "h$number") address=10.77.0.$number
    start_node "$host" --slots 4
  done
  on=(env "SKYNET_LAB=$lab" deploy/lab run h3)
  engage_and_disturb "b cut off" "$(peers a b)" env "SKYNET_LAB=$lab" deploy/lab cut h2
  free_nodes
}

say "200 scans of a second"
undisturbed
signalled "b killed" KILL
signalled "b stopped" STOP
joined
cut_off
