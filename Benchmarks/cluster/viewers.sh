# shellcheck shell=bash
#: viewers [ROUNDS [TASKS]]
#: Tasks of no length per second over one node, with five viewers of the page (curl -N) and a Prometheus that
#: scrapes each second, and without, in turns; and the memory that they take of the engaging process.
#: Target: a ratio of at least 0.95; at most 20 MiB more.
#
# ROUNDS is 5 by default, of 500,000 tasks each. The run without viewers has no page either. Where Prometheus is not
# installed, the viewers are measured alone, and the figures say so.

rounds=${1:-5}
tasks=${2:-500000}
need_rounds "$rounds"
need_count TASKS "$tasks"
need_proc
type -P curl >/dev/null || skip "there is no curl: apt-get install curl"
need_skynet
readonly viewer_count=5

readonly targets=$work/targets.json
prometheus=
server=
# Starts a Prometheus, which learns from a file whom to scrape.
start_prometheus() {
  cat >"$work/prometheus.yml" <<CONFIG
global: {scrape_interval: 1s}
scrape_configs:
  - job_name: skynet
    file_sd_configs: [{files: ["$targets"], refresh_interval: 1s}]
CONFIG
  echo '[]' >"$targets"
  prometheus --config.file="$work/prometheus.yml" --storage.tsdb.path="$work/tsdb" \
    --web.listen-address=127.0.0.1:0 2>"$work/prometheus.log" &
  prometheus=$!
  until grep -q 'Server is ready' "$work/prometheus.log"; do
    kill -0 "$prometheus" 2>/dev/null || die "Prometheus ended: $(tail -n 1 "$work/prometheus.log")"
    sleep 0.2
  done
  server=$(sed -n 's/.*msg="Listening on" address=//p' "$work/prometheus.log")
}

end_prometheus() {
  [[ -n $prometheus ]] || return 0
  kill -TERM "$prometheus" 2>/dev/null || true
  wait "$prometheus" 2>/dev/null || true
  prometheus=
}

viewers=()
end_viewers() {
  local viewer
  for viewer in ${viewers[@]+"${viewers[@]}"}; do
    kill -TERM "$viewer" 2>/dev/null || true
    wait "$viewer" 2>/dev/null || true
  done
  viewers=()
}
trap 'end_viewers; end_prometheus; clean_up' EXIT

# Runs the tasks with this many viewers, and stores tasks per second in `rate`, and the peak of the engaging
# process's memory in `peak`.
measure() { # VIEWERS
  local pid page='' number
  engagement_of node --total "$tasks" --scan-seconds 0 --results /dev/null
  (($1 == 0)) || engagement+=(--web)
  (($1 == 0)) || [[ -z $prometheus ]] || engagement+=(--metrics=127.0.0.1:0)
  echo "\$ ${engagement[*]}" >&2
  "${engagement[@]}" 2>"$work/said" &
  pid=$!
  if (($1 > 0)); then
    while [[ -z $page ]] && kill -0 "$pid" 2>/dev/null; do
      page=$(sed -n 's/^page: //p' "$work/said")
    done
    if [[ -n $prometheus ]]; then
      until grep -q '^metrics: ' "$work/said" || ! kill -0 "$pid" 2>/dev/null; do :; done
      sed -n 's|^metrics: http://\([^/]*\)/metrics.*|[{"targets": ["\1"]}]|p' "$work/said" >"$targets"
    fi
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

if type -P prometheus promtool >/dev/null; then
  start_prometheus
else
  echo "there is no Prometheus: apt-get install prometheus; the viewers are measured without one" >&2
fi
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
if [[ -n $prometheus ]]; then
  scrapes=$(promtool query instant "http://$server" 'sum(sum_over_time(up[1h]))' |
    sed -n 's/.*=> \([0-9]*\).*/\1/p')
  [[ ${scrapes:-0} -gt 0 ]] || die "Prometheus has not scraped at all"
  echo "Prometheus scraped $scrapes times"
fi
median ratio %.2f ratio 0.95
median more "%.1f MiB" "more memory" "20 MiB"
