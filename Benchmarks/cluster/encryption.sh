# shellcheck shell=bash
#: encryption [ROUNDS]
#: The cost of TLS: tasks of no length per second, with TLS and with --insecure in turns.
#: Target: a ratio of at least 0.70.
# ROUNDS is 5 by default.

rounds=${1:-5}
need_rounds "$rounds"
need_skynet
readonly tasks=200000

start_node secured
start_node plain --insecure

# Stores tasks per second in `rate`.
measure() { # NODE OPTION...
  engage_nodes "$1" --total "$tasks" --scan-seconds 0 --results /dev/null "${@:2}"
  rate=$(calculate "$tasks / $seconds")
}

say "$tasks tasks of no length, $rounds rounds"
for ((round = 1; round <= rounds; round++)); do
  measure secured
  with=$rate
  measure plain --insecure
  ratio=$(calculate "$with / $rate")
  note ratio "$ratio"
  printf '%.0f tasks/s with TLS, %.0f without: %.2f\n' "$with" "$rate" "$ratio"
done
median ratio %.2f ratio 0.70
