# shellcheck shell=bash
#: simulate [COUNT]
#: Simulates clusters under faults with the real decisions: one for each seed, COUNT (100,000) in all.
#
# SKYNET_SEED=17 Tests/run simulate runs that seed alone.

need_swift
install_for_build
swift build --build-tests
SKYNET_SEEDS=${1:-100000} swift test --skip-build --filter '^Simulation\.'
