#!/bin/bash
# Sourced by Benchmarks/run: checks a benchmark's requirements. A missing one skips the benchmark,
# which is no failure.
#
# SKYNET_BINARY and SKYNET_BENCH_BINARY name the programs to measure; by default the scripts make
# release builds. SKYNET_PYTHON names the Python for the programs in Python, such as a virtual
# environment's.

# The benchmark's own folder.
here=$PWD/${script%/*}
export PYTHONPATH=$PWD/Benchmarks/support PYTHONDONTWRITEBYTECODE=1

# A path that a person gave, relative to the folder in which the command was started.
absolute() { # PATH
  (cd "$started_in" && realpath -m -- "$1")
}

python=${SKYNET_PYTHON:-python3}
[[ $python != */* ]] || python=$(absolute "${python%/*}")/${python##*/}

skip() { # REASON
  echo "${0##*/}: skipped: $1" >&2
  exit 0
}

has_python() { # MODULE...
  type -P "$python" >/dev/null || return
  local module
  for module; do "$python" -c "import $module" 2>/dev/null || return; done
}

need_python() { # MODULE...
  type -P "$python" >/dev/null || skip "there is no $python"
  local module
  for module; do
    has_python "$module" \
      || skip "$python has no $module: pip install $* in a virtual environment, and name its python in SKYNET_PYTHON"
  done
}

need_source_extractor() {
  type -P source-extractor >/dev/null \
    || skip "there is no source-extractor: apt-get install source-extractor"
}

need_proc() {
  [[ -r /proc/self/status ]] || skip "there is no /proc to read memory and processor times from"
}

need_rounds() { # ROUNDS
  [[ $1 =~ ^[1-9][0-9]{0,2}$ ]] || die "ROUNDS is '$1', 1 to 999 is allowed"
}

need_count() { # NAME NUMBER
  [[ $2 =~ ^[1-9][0-9]{0,8}$ ]] || die "$1 is '$2', 1 to 999999999 is allowed"
}

# Stores in `work` a temporary folder. At the end the nodes are stopped and the folder is removed.
need_work() {
  work=$(mktemp -d -t "skynet-${0##*/}.XXXXXX")
  trap clean_up EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
}

# Stores the command in `skynet`.
need_skynet() {
  need_program skynet "${SKYNET_BINARY:-}"
  skynet=$program
  need_work
  # The benchmark has its own cluster key: the account's key is not used.
  export XDG_CONFIG_HOME=$work/account
}

# Stores in `bench` the program that measures from the inside.
need_bench() {
  need_program SkyNetBench "${SKYNET_BENCH_BINARY:-}"
  bench=$program
  need_work
}

need_program() { # PRODUCT BINARY
  if [[ -n $2 ]]; then
    program=$(absolute "$2")
    return
  fi
  need_swift
  install_for_build
  say "building"
  build_release "$1" >&2
  program=$PWD/.build-release/release/$1
}

# Stores a C compiler in `c_compiler`: the machine's own, or the Swift toolchain's.
need_c() {
  c_compiler=$(type -P cc || type -P clang) || skip "there is no C compiler: apt-get install gcc libc6-dev"
}

compile() { # NAME [LIBRARY...]
  "$c_compiler" -O2 -Wall -Wextra -Werror -o "$work/$1" "$here/$1.c" "${@:2}" || die "$1.c does not compile"
}

# Stores in `images` the real images; there may be none.
find_images() {
  images=()
  if [[ -z ${SKYNET_TEST_DATA:-} ]]; then
    echo "SKYNET_TEST_DATA is not set: real images are left out" >&2
  else
    mapfile -t images < <(find -L "$(absolute "$SKYNET_TEST_DATA")" -maxdepth 1 -name '*.fit*' -type f | sort)
  fi
}
