# shellcheck shell=bash
#: soak
#: Runs two million tasks over two nodes, one of which is killed every ten seconds: the memory of the other
#: node and of the coordinator must not grow.
#
# SKYNET_BINARY names the release build to use; by default the script makes one. Takes some minutes.

if [[ -z ${SKYNET_BINARY:-} ]]; then
  need_swift
  install_for_build
  build_release skynet
  export SKYNET_BINARY=$PWD/.build-release/release/skynet
fi
endurance_test SoakTests
