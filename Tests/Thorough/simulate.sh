# shellcheck shell=bash
#: simulate [COUNT]
#: The decisions of a cluster under faults, in simulated worlds: one for each seed, 100,000 unless given.
#
# SKYNET_SEED=17 Tests/run simulate runs that seed alone.

need_swift
install_for_build
swift build --build-tests
SKYNET_SEEDS=${1:-100000} swift test --skip-build --filter '^Simulation\.'
