# shellcheck shell=bash
#: times [OPTION-OF-SWIFT-TEST...]
#: Where the tests' time goes: the time of each target, and the slowest suites and tests.
#
# Runs all tests, or those that the options choose, such as --filter EndToEnd, one after the other: side by side, the
# time of one would have in it what it waits for the others. All take some half an hour.

need_swift
type -P python3 >/dev/null || die "it needs python3"
swift build --build-tests
events=$(mktemp)
trap 'rm -f "$events"' EXIT
status=0
swift test --skip-build --no-parallel --event-stream-output-path "$events" --event-stream-version 0 "$@" || status=$?
PYTHONDONTWRITEBYTECODE=1 python3 Tests/Thorough/times.py "$events"
exit "$status"
