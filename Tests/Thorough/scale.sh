# shellcheck shell=bash
#: scale [ENGAGEMENTS]
#: Simulates engagements (100) over a thousand nodes with the real decisions, and prints what they exchange.
#
# The figures of docs/deploy/scale.md. Benchmarks/run scale measures with real nodes what each connection costs.

need_swift
install_for_build
swift build --build-tests
SKYNET_SCALE=${1:-100} swift test --skip-build --filter '^Simulation\.ScaleTests'
