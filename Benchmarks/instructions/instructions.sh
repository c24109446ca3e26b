# shellcheck shell=bash
#: instructions [--write WHY] [WORD...]
#: instructions --of COMMIT...
#: The instructions, allocations and memory of fixed pieces of work, by valgrind, beside those that stand in
#: Benchmarks/instructions/ledger.tsv. It fails where a figure has grown by more than 1 %, in a cluster 2 %, with
#: programs 5 %, and names the function that grew most. With other versions of what it depends on, it prints and
#: passes.
#
# With words, only figures whose names have one of them are counted. --write puts the figures that have changed into
# the ledger, with the reason: whoever makes something dearer says there what for. --of counts the programs of older
# commits by today's work, as far as they have it, and prints a row of thousands for each: their builds take minutes,
# and lie in .build-instructions, which stays for the next time.
#
# SKYNET_BINARY and SKYNET_PIECES_BINARY name the programs; by default the script makes release builds.

ledger=$here/ledger.tsv
readonly older=$PWD/.build-instructions

# valgrind cannot read a release with what debuggers need.
stripped() { # PROGRAM NAME
  strip --strip-debug -o "$work/$2" "$1"
}

count() { # OPTION...
  "$python" "$here/instructions.py" "$ledger" "$work/skynet" "$work/pieces" "$@"
}

# Builds an older commit with today's pieces among its targets.
build_older() { # COMMIT
  local options='' dependencies='"SkyNetCore", "SkyNetCluster", "SkyNetViews", "SkyDetection", "SkyFITS"'
  [[ -d $older/.git ]] || git clone -q --no-checkout . "$older"
  git -C "$older" fetch -q origin
  git -C "$older" checkout -q --force "$1" || die "there is no commit $1"
  rm -rf "$older/Sources/SkyNetPieces"
  cp -r Sources/SkyNetPieces "$older/Sources"
  if ! grep -qs 'struct Measures: OptionSet' "$older/Sources/SkyDetection/"*.swift; then
    options=', swiftSettings: [.define("OLDER_LISTS")]'
  fi
  if ! grep -q '"SkyNetPieces"' "$older/Package.swift"; then
    sed -i "s/^  targets: \[\$/&\n    .executableTarget(name: \"SkyNetPieces\", dependencies: [$dependencies]$options),/" \
      "$older/Package.swift"
  fi
  (
    cd "$older" || exit
    # shellcheck source=/dev/null
    SKYNET_COMMIT=$1 bash -euo pipefail -c '. deploy/setup; build_release skynet; build_release SkyNetPieces'
  ) >&2
  stripped "$older/.build-release/release/skynet" skynet
  stripped "$older/.build-release/release/SkyNetPieces" pieces
}

need_python
install_packages valgrind binutils
if [[ ${1:-} == --of ]]; then
  [[ -n ${2:-} ]] || die "of which COMMIT?"
  need_swift
  install_for_build
  need_work
  for commit in "${@:2}"; do
    say "$commit"
    build_older "$commit"
    count --row "$commit"
  done
else
  need_program SkyNetPieces "${SKYNET_PIECES_BINARY:-}"
  pieces=$program
  need_skynet
  stripped "$skynet" skynet
  stripped "$pieces" pieces
  count "$@"
fi
