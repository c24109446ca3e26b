# shellcheck shell=bash
#: viewers [ROUNDS [TASKS]]
#: Tasks of no length per second over one node, with five viewers of the page (curl -N) and without, in turns;
#: and the memory that the page takes of the engaging process.
#: Target: a ratio of at least 0.95; at most 20 MiB more.
#
# ROUNDS is 5 by default, of 500,000 tasks each. The run without viewers has no page either.

rounds=${1:-5}
tasks=${2:-500000}
need_rounds "$rounds"
need_count TASKS "$tasks"
need_proc
type -P curl >/dev/null || skip "there is no curl: apt-get install curl"
need_skynet
readonly viewer_count=5

viewers=()
end_viewers() {
  local viewer
  for viewer in ${viewers[@]+"${viewers[@]}"}; do
    kill -TERM "$viewer" 2>/dev/null || true
    wait "$viewer" 2>/dev/null || true
  done
  viewers=()
}
trap 'end_viewers; clean_up' EXIT

# Runs the tasks with this many viewers, and stores tasks per second in `rate`, and the peak of the engaging
# process's memory in `peak`.
measure() { # VIEWERS
  local pid page='' number
  engagement_of node --total "$tasks" --scan-seconds 0 --results /dev/null
  (($1 == 0)) || engagement+=(--web)
  echo "\$ ${engagement[*]}" >&2
  "${engagement[@]}" 2>"$work/said" &
  pid=$!
  if (($1 > 0)); then
    while [[ -z $page ]] && kill -0 "$pid" 2>/dev/null; do
      page=$(sed -n 's/^page: //p' "$work/said")
    done
    for ((number = 0; number < $1; number++)); do
      curl -sN "${page/\/\?/\/events?}" >"$work/viewer.$number" &
      viewers+=("$!")
    done
  fi
  peak=0
  while kill -0 "$pid" 2>/dev/null; do
    peak=$(memory "$pid" VmHWM 2>/dev/null || echo "$peak")
    [[ -n $peak ]] || peak=0
    sleep 0.2
  done
  wait "$pid" || die "failed: ${engagement[*]}"
  end_viewers
  rate=$(calculate "$tasks / $(summary_seconds "$work/said")")
}

start_node node --slots 4
say "$tasks tasks of no length, $rounds rounds"
for ((round = 1; round <= rounds; round++)); do
  measure "$viewer_count"
  with=$rate with_memory=$peak
  measure 0
  ratio=$(calculate "$with / $rate")
  more=$(calculate "$with_memory - $peak")
  note ratio "$ratio"
  note more "$more"
  printf '%.0f tasks/s with %d viewers, %.0f without: %.2f; %.1f MiB more\n' "$with" "$viewer_count" "$rate" \
    "$ratio" "$more"
done
median ratio %.2f ratio 0.95
median more "%.1f MiB" "more memory" "20 MiB"
