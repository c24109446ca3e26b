# shellcheck shell=bash
#: soak
#: Two million tasks over two nodes, one of which is killed every ten seconds: the memory of node and
#: coordinator has to stay flat.
#
# SKYNET_BINARY names the release build to use; without it, the script makes one. Takes some minutes.

if [[ -z ${SKYNET_BINARY:-} ]]; then
  need_swift
  install_for_build
  build_release skynet
  export SKYNET_BINARY=$PWD/.build-release/release/skynet
fi
endurance_test SoakTests
