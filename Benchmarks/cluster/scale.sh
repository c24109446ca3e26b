# shellcheck shell=bash
#: scale [NODES [ENGAGEMENTS]]
#: What a large cluster costs, with NODES (200) real nodes on as many hosts of a lab, found by DNS-SD: the multicast
#: that each host gets, a coordinator's connections, memory and processor time while its scans run, the cost of a
#: task beside that with ten nodes, and a node's memory and time with ENGAGEMENTS (10) clients.
#
# The hosts are network namespaces with an Avahi each (deploy/lab), so this needs root, and 10 MiB a host. The
# figures are in docs/deploy/scale.md; `Tests/run scale` simulates what one machine has no processes for.

count=${1:-200}
clients=${2:-10}
need_count NODES "$count"
need_count ENGAGEMENTS "$clients"
((count <= 249)) || die "a lab has 250 hosts, and one of them engages: give at most 249 nodes"
need_proc
[[ $EUID -eq 0 ]] || skip "hosts of a lab need root"
install_for_discovery
install_packages iproute2 dbus-bin
need_skynet
export SKYNET_LAB=scale-$$
last=h$((count + 1))

clean_up_lab() {
  kill -KILL "${engagements[@]}" 2>/dev/null || true
  deploy/lab down
  clean_up
}
engagements=()
trap clean_up_lab EXIT

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

# Prints the multicast since the last call.
tell_multicast() { # WHAT
  local packets bytes
  read -r packets bytes < <(multicast)
  printf '%s: a host gets %d packets, %d KiB of multicast\n' "$1" $((packets - seen_packets)) \
    $(((bytes - seen_bytes) / 1024))
  read -r seen_packets seen_bytes < <(multicast)
}
read_multicast() { read -r seen_packets seen_bytes < <(multicast); }

processor_time() { # PID
  cat /proc/"$1"/task/*/schedstat | awk '{ sum += $1 } END { printf "%.6f", sum / 1e9 }'
}
private_memory() { # PID
  awk '/^Private_/ { sum += $2 } END { printf "%.1f", sum / 1024 }' "/proc/$1/smaps_rollup"
}
sockets() { find "/proc/$1/fd" -lname 'socket:*' 2>/dev/null | wc -l; }

# What a process takes of a core, in percent, over some seconds.
share() { # PID SECONDS
  local before
  before=$(processor_time "$1")
  sleep "$2"
  calculate "($(processor_time "$1") - $before) / $2 * 100"
}

await() { # SECONDS WHAT COMMAND...
  local end=$((SECONDS + $1)) what=$2
  until "${@:3}"; do
    ((SECONDS < end)) || die "$what: not within $1 s"
    sleep 0.2
  done
}
are_ready() { [[ $(cat "$work"/h*.log | grep -c ' ready on port ') -ge $count ]]; }
has_connected() { [[ $(grep -c '^connected ' "$1") -ge $count ]]; }

# An engagement whose scans outlast the measurement, on the last host. Stores its process in `engaged`.
start_engagement() { # NAME
  deploy/lab run "$last" "$skynet" engage --no-local --wait-for "$count" --wait-timeout 5m --total $((count * 2)) \
    --scan-seconds 600 --failing-every 0 >/dev/null 2>"$work/$1.log" &
  engaged=$!
  engagements+=("$engaged")
  await 300 "$1 and $count nodes" has_connected "$work/$1.log"
}

say "$count hosts"
deploy/lab up $((count + 1)) >/dev/null
sleep 10
read_multicast
begin=$SECONDS
for ((number = 1; number <= count; number++)); do
  deploy/lab run "h$number" "$skynet" node --slots 1 --port 7777 --log-level warning 2>"$work/h$number.log" &
  nodes[h$number]=$!
done
await 300 "$count nodes" are_ready
printf '%d nodes are ready after %d s\n' "$count" $((SECONDS - begin))
sleep 10
tell_multicast "while the nodes start"
sleep 60
tell_multicast "60 s at rest"
node=${nodes[h7]}
printf 'a node at rest: %.1f MiB private, %.3f %% of a core\n' "$(private_memory "$node")" "$(share "$node" 20)"

say "an engagement"
read_multicast
begin=$EPOCHREALTIME
start_engagement first
first=$engaged
printf 'connected to all after %.1f s\n' "$(calculate "$EPOCHREALTIME - $begin")"
tell_multicast "its search"
sleep 10
printf 'its coordinator, while scans run: %d sockets, %.1f MiB private, %.2f %% of a core\n' \
  "$(sockets "$first")" "$(private_memory "$first")" "$(share "$first" 20)"
with_one=$(private_memory "$node")
printf 'a node: %d sockets, %.1f MiB private, %.3f %% of a core\n' "$(sockets "$node")" "$with_one" \
  "$(share "$node" 20)"

say "$clients engagements"
for ((number = 2; number <= clients; number++)); do start_engagement "engagement-$number"; done
sleep 10
printf 'a node: %d sockets, %.2f MiB private for each further client, %.3f %% of a core\n' "$(sockets "$node")" \
  "$(calculate "($(private_memory "$node") - $with_one) / ($clients - 1)")" "$(share "$node" 20)"
printf 'the first coordinator: %.1f MiB private, %.2f %% of a core\n' "$(private_memory "$first")" \
  "$(share "$first" 20)"
kill -KILL "${engagements[@]}"
wait "${engagements[@]}" 2>/dev/null || true
engagements=()
sleep 10

say "200,000 tasks of no length"
for some in 10 "$count"; do
  peers=$(seq -f "10.77.0.%.0f:7777" -s , "$some")
  deploy/lab run "$last" "$skynet" engage --no-discovery --no-local --peers "$peers" --wait-for "$some" \
    --wait-timeout 1m --total 200000 --scan-seconds 0 --failing-every 0 >/dev/null 2>"$work/said" &
  engaged=$!
  used=0 high=0
  while kill -0 "$engaged" 2>/dev/null; do
    used=$(processor_time "$engaged" 2>/dev/null || echo "$used")
    high=$(memory "$engaged" VmHWM 2>/dev/null || echo "$high")
    sleep 0.1
  done
  grep ' sectors in ' "$work/said" | cut -c 1-100
  printf '%d nodes: %.1f µs of the coordinator for a task, at most %.1f MiB\n' "$some" \
    "$(calculate "$used / 200000 * 1e6")" "$high"
done
