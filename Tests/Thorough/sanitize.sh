# shellcheck shell=bash
#: sanitize thread|address
#: All tests under a sanitizer of the toolchain, for data races (thread) or memory errors (address).
#
# Real processes are among the tests: the program is built with the sanitizer too.

case ${1:-} in
  thread | address) ;;
  *) die "which sanitizer? thread or address" ;;
esac

need_swift
install_for_build
install_for_discovery
install_packages iproute2 openssl

scratch=.build-$1
swift build --build-tests --sanitize="$1" --scratch-path "$scratch"

preload=
if [[ $1 == thread ]]; then
  clang=$(dirname "$(readlink -f "$(type -P swift)")")/clang
  preload=$PWD/$scratch/tsan-mutex.so
  "$clang" -shared -fPIC -O2 -o "$preload" Tests/Thorough/tsan-mutex.c -ldl
fi
# It reads the memory of a process that crashes, which a sanitizer takes for an error of its own.
export SWIFT_BACKTRACE=enable=no
# What lives as long as a process is no leak, and there is much of that.
export ASAN_OPTIONS="detect_leaks=0 ${ASAN_OPTIONS:-}"
# Tests of how much memory a process has ask for it.
export SKYNET_SANITIZER=$1
# One test after the other: together, and slowed down so, they would run out of their time limits.
deploy/with-avahi env LD_PRELOAD="$preload" \
  swift test --no-parallel --skip-build --sanitize="$1" --scratch-path "$scratch"
