# shellcheck shell=bash
#: at-rest [ROUNDS [TASKS]]
#: A node's use of its machine: memory and processor time at rest (30 s after its start, over the last 20 s),
#: and memory after a million tasks of no length. The node has four slots.
#: Target: at rest at most 6 MiB of private memory and 0.1 % of a core; 20 MiB after the tasks.
#
# ROUNDS is 5 by default, of a minute or two each. Private memory is the memory that the end of the
# process would free: Private_* of smaps_rollup. A second node runs beside the measured one: without
# it the kernel would count the program's code, which its processes share, as private. Resident
# memory is printed too.

rounds=${1:-5}
tasks=${2:-1000000}
need_rounds "$rounds"
need_count TASKS "$tasks"
need_proc
[[ -r /proc/self/smaps_rollup ]] || skip "there is no smaps_rollup in /proc"
need_skynet

for ((round = 1; round <= rounds; round++)); do
  say "round $round of $rounds"
  start_node other --slots 1
  start_node resting --slots 4
  pid=${nodes[resting]}
  sleep 10
  before=$(processor_time "$pid")
  sleep 20
  share=$(calculate "($(processor_time "$pid") - $before) / 20 * 100")
  private=$(private_memory "$pid")
  resident=$(memory "$pid" VmRSS)
  note rest "$private"
  note rest-resident "$resident"
  note share "$share"
  printf 'at rest %.1f MiB private, %.1f MiB resident, %.3f %% of a core\n' "$private" "$resident" "$share"
  engage_nodes resting --total "$tasks" --scan-seconds 0
  private=$(private_memory "$pid")
  resident=$(memory "$pid" VmRSS)
  peak=$(memory "$pid" VmHWM)
  note after "$private"
  note after-resident "$resident"
  note peak "$peak"
  printf 'after %d tasks %.1f MiB private, %.1f MiB resident, at most %.1f MiB\n' "$tasks" "$private" \
    "$resident" "$peak"
  stop_node resting
  stop_node other
done
say "a node"
median rest "%.1f MiB" "private at rest" "6 MiB"
median rest-resident "%.1f MiB" "  resident"
median share "%.3f %%" "of a core" "0.1 %"
median after "%.1f MiB" "private after $tasks tasks" "20 MiB"
median after-resident "%.1f MiB" "  resident"
median peak "%.1f MiB" "resident at most, at the start too"
