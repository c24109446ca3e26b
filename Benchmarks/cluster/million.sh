# shellcheck shell=bash
#: million [ROUNDS [TASKS [beside]]]
#: A million tasks of no length over one node, without a journal and with one in turns: the rate of the last
#: tenth compared with the first, the coordinator's peak memory, and the journal's cost.
#: Target: at most 100 MiB; with the journal at least four fifths of the tasks per second.
#
# ROUNDS is 5 by default, of a minute or two each. The tenths are timed by the coordinator's lines
# (pace.py). The journal is in TMPDIR.
#
# With `beside`, each round has a third run: without a journal, beside a program that takes 2.2 ms
# of processor time every 14 ms, as the journal's own thread does (duty.c).

rounds=${1:-5}
tasks=${2:-1000000}
need_rounds "$rounds"
need_count TASKS "$tasks"
need_python
need_proc
[[ ${3:-} == "" || ${3:-} == beside ]] || die "'${3:-}' is unknown: only 'beside' is known there"
[[ -z ${3:-} ]] || need_c
need_skynet
[[ -z ${3:-} ]] || compile duty
start_node a --slots 4

# Stores tasks per second in `rate`, and records the other figures under a name.
measure() { # NAME OPTION...
  local first last peak
  engagement_of a --total "$tasks" --scan-seconds 0 "${@:2}"
  run "$python" "$here/pace.py" "$work/pace" "$tasks" "${engagement[@]}"
  read -r seconds first last peak <"$work/pace"
  rate=$(calculate "$tasks / $seconds")
  note "$1" "$rate"
  note "$1-tenths" "$(calculate "$last / $first")"
  note "$1-peak" "$peak"
  printf '%.0f tasks/s, %.0f in the first tenth and %.0f in the last; at most %.1f MiB\n' \
    "$rate" "$first" "$last" "$peak"
}

for ((round = 1; round <= rounds; round++)); do
  say "round $round of $rounds"
  measure without
  without=$rate
  rm -f "$work"/run.sqlite*
  measure with --journal "$work/run.sqlite"
  note cost "$(calculate "(1 - $rate / $without) * 100")"
  [[ -n ${3:-} ]] || continue
  "$work/duty" 2.2 14 &
  nodes[duty]=$!
  measure beside
  stop_node duty
  note beside-cost "$(calculate "(1 - $rate / $without) * 100")"
done
say "$tasks tasks"
for kind in without with; do
  median "$kind" "%.0f" "tasks/s $kind a journal"
  median "$kind-tenths" %.2f "  the last tenth's over the first's"
  median "$kind-peak" "%.1f MiB" "  the coordinator at most" "100 MiB"
done
median cost "%.1f %%" "what the journal costs" "20 %"
if has_noted beside; then
  median beside %.0f "tasks/s beside a program that takes 2.2 ms of every 14"
  median beside-cost "%.1f %%" "what that costs"
fi
