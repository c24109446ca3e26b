# shellcheck shell=bash
#: scale [NODES [ENGAGEMENTS [HOSTS]]]
#: What a large cluster costs. With NODES (200) real nodes on this machine: a coordinator's connections, memory and
#: processor time while its scans run, the cost of a task beside that with ten nodes, and a node's memory and time with
#: ENGAGEMENTS (10) clients. With HOSTS (40) hosts of a lab: the multicast that each gets by DNS-SD.
#
# The hosts are network namespaces with an Avahi each (deploy/lab), which needs root; without, that part is left out.
# (An Avahi on two cores does not keep up with 200 others: every packet reaches all.) The figures are in
# docs/deploy/scale.md; `Tests/run scale` simulates what one machine has no processes for.

count=${1:-200}
clients=${2:-10}
hosts=${3:-40}
need_count NODES "$count"
need_count ENGAGEMENTS "$clients"
need_count HOSTS "$hosts"
((hosts <= 249)) || die "a lab has 250 hosts, and one of them looks for the others: give at most 249"
need_proc
need_skynet
ulimit -n "$(ulimit -Hn)"

engagements=()
clean_up_all() {
  end_engagements
  if [[ -n ${SKYNET_LAB:-} ]]; then deploy/lab down; fi
  clean_up
}
end_engagements() {
  [[ ${#engagements[@]} -gt 0 ]] || return 0
  kill -KILL "${engagements[@]}" 2>/dev/null || true
  wait "${engagements[@]}" 2>/dev/null || true
  engagements=()
}
trap clean_up_all EXIT

sockets() { find "/proc/$1/fd" -lname 'socket:*' 2>/dev/null | wc -l; }

# What a process takes of a core, in percent, over some seconds.
share() { # PID SECONDS
  local before
  before=$(processor_time "$1")
  sleep "$2"
  calculate "($(processor_time "$1") - $before) / $2 * 100"
}

await() { # SECONDS WHAT COMMAND...
  within "$1" "${@:3}" || die "$2: not within $1 s"
}
has_connected() { [[ $(grep -c ' connected ' "$1") -ge $2 ]]; }

# MARK: Connections

# An engagement whose scans outlast the measurement. Stores its process in `engaged`.
start_engagement() { # NAME
  "$skynet" engage --no-discovery --no-local --peers "$all" --wait-for "$count" --wait-timeout 5m \
    --total $((count * 2)) --scan-seconds 600 --failing-every 0 >/dev/null 2>"$work/$1.log" &
  engaged=$!
  engagements+=("$engaged")
  await 300 "$1 and $count nodes" has_connected "$work/$1.log" "$count"
}

say "$count nodes"
names=()
for ((number = 1; number <= count; number++)); do
  start_node "n$number" --slots 1
  names+=("n$number")
done
all=$(peers "${names[@]}")
sleep 10
node=${nodes[n7]}
printf 'a node at rest: %.1f MiB private, %.3f %% of a core\n' "$(private_memory "$node")" "$(share "$node" 20)"

say "an engagement"
begin=$EPOCHREALTIME
start_engagement first
first=$engaged
printf 'connected to all after %.1f s\n' "$(calculate "$EPOCHREALTIME - $begin")"
sleep 10
printf 'its coordinator, while scans run: %d sockets, %.1f MiB private, %.2f %% of a core\n' \
  "$(sockets "$first")" "$(private_memory "$first")" "$(share "$first" 20)"
with_one=$(private_memory "$node")
printf 'a node: %d sockets, %.1f MiB private, %.3f %% of a core\n' "$(sockets "$node")" "$with_one" \
  "$(share "$node" 20)"

say "$clients engagements, $((clients * count)) connections"
for ((number = 2; number <= clients; number++)); do start_engagement "engagement-$number"; done
sleep 10
printf 'a node: %d sockets, %.2f MiB private for each further client, %.3f %% of a core\n' "$(sockets "$node")" \
  "$(calculate "($(private_memory "$node") - $with_one) / ($clients - 1)")" "$(share "$node" 20)"
printf 'the first coordinator: %.1f MiB private, %.2f %% of a core\n' "$(private_memory "$first")" \
  "$(share "$first" 20)"
end_engagements
sleep 10

say "200,000 tasks of no length"
for some in 10 "$count"; do
  "$skynet" engage --no-discovery --no-local --peers "$(peers "${names[@]:0:$some}")" --wait-for "$some" \
    --wait-timeout 1m --total 200000 --scan-seconds 0 --failing-every 0 >/dev/null 2>"$work/said" &
  engaged=$!
  used=0 high=0
  while kill -0 "$engaged" 2>/dev/null; do
    used=$(processor_time "$engaged" 2>/dev/null || echo "$used")
    high=$(memory "$engaged" VmHWM 2>/dev/null || echo "$high")
    sleep 0.1
  done
  sed -n 's/^\(.* sectors in .* systems\) .*/\1/p' "$work/said"
  printf '%d nodes: %.1f µs of the coordinator for a task, at most %.1f MiB\n' "$some" \
    "$(calculate "$used / 200000 * 1e6")" "$high"
done
for name in "${names[@]}"; do stop_node "$name"; done

# MARK: Announcements

if [[ $EUID -ne 0 ]]; then
  echo "not root: multicast is not measured" >&2
  exit 0
fi
install_for_discovery
install_packages iproute2 dbus-bin
export SKYNET_LAB=scale-$$
last=h$((hosts + 1))

# Multicast that has reached the last host: packets and bytes, of both families.
multicast() {
  deploy/lab run "$last" cat /proc/net/netstat /proc/net/snmp6 | awk '
    $1 == "IpExt:" && !named { for (i = 2; i <= NF; i++) name[i] = $i; named = 1; next }
    $1 == "IpExt:" { for (i = 2; i <= NF; i++) value[name[i]] = $i }
    $1 == "Ip6InMcastPkts" || $1 == "Ip6InMcastOctets" { value[$1] = $2 }
    END {
      print value["InMcastPkts"] + value["Ip6InMcastPkts"], value["InMcastOctets"] + value["Ip6InMcastOctets"]
    }'
}
read_multicast() { read -r seen_packets seen_bytes < <(multicast); }

# Prints the multicast since it was read.
tell_multicast() { # WHAT
  local packets bytes
  read -r packets bytes < <(multicast)
  printf '%s: a host gets %d packets, %d KiB of multicast\n' "$1" $((packets - seen_packets)) \
    $(((bytes - seen_bytes) / 1024))
  read_multicast
}
are_ready() { [[ $(cat "$work"/h*.log | grep -c ' ready on port ') -ge $hosts ]]; }

say "$hosts hosts"
deploy/lab up $((hosts + 1)) >/dev/null
sleep 10
read_multicast
for ((number = 1; number <= hosts; number++)); do
  deploy/lab run "h$number" "$skynet" node --slots 1 --log-level warning 2>"$work/h$number.log" &
  nodes[h$number]=$!
done
await 300 "$hosts nodes" are_ready
sleep 10
tell_multicast "while the nodes start"
sleep 60
tell_multicast "60 s at rest"
begin=$EPOCHREALTIME
deploy/lab run "$last" "$skynet" engage --no-local --wait-for "$hosts" --wait-timeout 5m --total 100000 \
  --scan-seconds 600 --failing-every 0 >/dev/null 2>"$work/found.log" &
engagements+=($!)
await 300 "an engagement and $hosts nodes" has_connected "$work/found.log" "$hosts"
printf 'an engagement has found and connected to all after %.1f s\n' "$(calculate "$EPOCHREALTIME - $begin")"
tell_multicast "its search"
