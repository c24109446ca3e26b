# shellcheck shell=bash
#: sanitize thread|address
#: Runs all tests under a sanitizer of the toolchain, for data races (thread) or memory errors (address).
#
# Some tests run real processes, so the program is built with the sanitizer too.

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
# Swift's backtrace reads the memory of a crashing process, which a sanitizer would report as an
# error.
export SWIFT_BACKTRACE=enable=no
# Memory that lives as long as the process is no leak, and there is much of it.
export ASAN_OPTIONS="detect_leaks=0 ${ASAN_OPTIONS:-}"
# Tests of memory use check this variable.
export SKYNET_SANITIZER=$1
# The tests run one after the other: together, and slowed down by the sanitizer, they would exceed
# their time limits.
LD_PRELOAD=$preload \
  swift test --no-parallel --skip-build --sanitize="$1" --scratch-path "$scratch"
