# shellcheck shell=bash
#: pixels [ROUNDS [SECTORS]]
#: Bytes per second: 4,000 sectors of 512 x 512 pixels of two bytes to one node, without and with encryption,
#: in comparison with a plain TCP copy of as many bytes between two processes.
#: Target: without encryption at least 0.5 of the plain copy.
# ROUNDS is 5 by default.

rounds=${1:-5}
sectors=${2:-4000}
need_rounds "$rounds"
need_count SECTORS "$sectors"
need_python
need_skynet
readonly bytes=$((512 * 512 * 2))

start_node plain --slots 4 --insecure
start_node secured --slots 4

# Stores MB/s (millions of bytes) in `rate`.
move() { # NODE OPTION...
  engage_nodes "$1" --total "$sectors" --scan-seconds 0 --sector-bytes "$bytes" "${@:2}"
  rate=$(calculate "$sectors * $bytes / $seconds / 1e6")
}

for ((round = 1; round <= rounds; round++)); do
  say "round $round of $rounds"
  copy=$("$python" "$here/tcp_copy.py" "$sectors" "$bytes")
  move plain --insecure
  plain=$rate
  move secured
  secured=$rate
  note copy "$copy"
  for kind in plain secured; do
    note "$kind" "${!kind}"
    note "$kind-ratio" "$(calculate "${!kind} / $copy")"
  done
  printf '%.0f MB/s without encryption, %.0f with it, %.0f by a plain copy\n' "$plain" "$secured" "$copy"
done
say "MB/s"
median copy %.0f "plain copy"
median plain %.0f "without encryption"
median plain-ratio %.2f "  of the plain copy" 0.50
median secured %.0f "with TLS"
median secured-ratio %.2f "  of the plain copy"
