# shellcheck shell=bash
#: fuzz [SECONDS [TARGET...]]
#: Fuzzes all code that reads bytes from unauthenticated peers, with libFuzzer and AddressSanitizer: each
#: target for SECONDS (60).
#
# Fuzzing begins with the corpus in Tests/Fuzzing/Corpus. The script prints a line for each target:
# inputs tried, inputs per second, edges of the program reached, and findings. New inputs go to a
# temporary directory, not into the repository. Findings are kept, and shown with the command that
# runs each alone. See docs/testing.md.

misused() { # MESSAGE
  echo "${0##*/}: $1" >&2
  exit 64
}

seconds=${1:-60}
[[ $seconds =~ ^[1-9][0-9]{0,5}$ ]] || misused "SECONDS is '$seconds', 1 to 999999 is allowed"
shift || true

readonly scratch=.build-fuzz
readonly corpus=Tests/Fuzzing/Corpus
readonly dictionary=Tests/Fuzzing/tokens.dict
readonly fuzzer=$PWD/$scratch/release/SkyNetFuzzer

mapfile -t targets < <(ls "$corpus")
for target; do
  [[ " ${targets[*]} " == *" $target "* ]] || misused "there is no target '$target', only: ${targets[*]}"
done
(($# == 0)) || targets=("$@")

need_swift
install_for_build

say "building the fuzzer (the first time takes some minutes)"
# The package has the fuzzer only if SKYNET_FUZZ is set. Of several -sanitize flags Swift's frontend
# uses only the last: without the one that names both, the fuzzer would see no edges.
SKYNET_FUZZ=1 swift build -c release --sanitize address --sanitize fuzzer \
  -Xswiftc -sanitize=address,fuzzer \
  --scratch-path "$scratch" --product SkyNetFuzzer >&2 || die "the fuzzer does not build"

# libFuzzer reports crashes itself; Swift's own report would interfere.
export SWIFT_BACKTRACE=enable=no
# Memory that Swift keeps for the program's life would count as leaks.
export ASAN_OPTIONS=detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}

work=$(mktemp -d -t skynet-fuzz.XXXXXX)
running=
# shellcheck disable=SC2317 # A trap calls it.
clean_up() {
  if [[ -n $running ]]; then
    kill -TERM "$running" 2>/dev/null || true
    wait "$running" 2>/dev/null || true
  fi
  # Findings are kept.
  if ((found == 0)); then rm -rf "$work"; else rm -rf "$work"/*/new; fi
}
found=0
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# The last number that follows a word in libFuzzer's output; 0 if there is none.
number() { # WORD FILE
  awk -v word="$1" '{ for (i = 1; i < NF; i++) if ($i == word) last = $(i + 1) }
    END { print last + 0 }' "$2"
}

fuzz() { # TARGET
  local target=$1 at=$work/$1 status=0 artifacts executions edges
  mkdir -p "$at/new" "$at/findings"
  # -timeout: an input that takes this many seconds is a finding. The memory limit, in MiB, is far
  # above the need of any input of this size.
  SKYNET_FUZZ_TARGET=$target "$fuzzer" -max_total_time="$seconds" -timeout=20 \
    -rss_limit_mb=2048 -max_len=4096 -print_final_stats=1 -dict="$dictionary" -artifact_prefix="$at/findings/" \
    "$at/new" "$corpus/$target" >"$at/log" 2>&1 &
  running=$!
  wait "$running" || status=$?
  running=
  artifacts=$(find "$at/findings" -type f | wc -l)
  # libFuzzer may also fail without an input to show.
  ((status == 0 || artifacts > 0)) || artifacts=1
  executions=$(number stat::number_of_executed_units: "$at/log")
  edges=$(number cov: "$at/log")
  printf '%-10s %12s executions %8s exec/s %6s edges %3s findings\n' "$target" "$executions" \
    "$((executions / seconds))" "$edges" "$artifacts"
  ((edges > 0)) || die "the fuzzer sees no edges, and so learns nothing: it is built without coverage"
  ((artifacts > 0)) || { rm -r "$at"; return 0; }
  found=1
  show "$target" "$at"
}

# Shows the findings, and how to run each alone.
show() { # TARGET DIRECTORY
  local artifact
  grep -aE 'Fatal error|ERROR: |SUMMARY: ' "$2/log" | cut -c 1-400 | sed 's/^/  /' || tail -n 5 "$2/log"
  echo "  log: $2/log"
  for artifact in "$2"/findings/*; do
    [[ -f $artifact ]] || continue
    echo "  run it alone: SKYNET_FUZZ_TARGET=$1 SWIFT_BACKTRACE=enable=no $scratch/release/SkyNetFuzzer $artifact"
  done
}

say "fuzzing ${#targets[@]} targets, $seconds s each"
for target in "${targets[@]}"; do
  fuzz "$target"
done
exit "$found"
