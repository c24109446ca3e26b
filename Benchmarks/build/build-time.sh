# shellcheck shell=bash
#: build-time [FOLDER]
#: A release build of a clean clone: of each module when it began and ended, its processor time, and which modules
#: waited for it; and the processor time by package.
#
# Clones the committed state into this new folder, or into one that is removed afterwards. Takes
# some minutes.

need_python
need_swift
install_for_build

if [[ -n ${1:-} ]]; then
  work=$(absolute "$1")
  mkdir -- "$work" || exit 2
else
  need_work
fi

git clone -q . "$work/clone"
mkdir "$work/bin"
toolchain=$(swiftc -print-target-info \
  | "$python" -c 'import json, sys; print(json.load(sys.stdin)["paths"]["runtimeResourcePath"])')/../../bin
for compiler in swiftc clang; do
  printf '#!/bin/bash\nexec %q %q %q %q "$@"\n' "$python" \
    "$here/compiler.py" "$work/times" "$toolchain/$compiler" >"$work/bin/$compiler"
  chmod +x "$work/bin/$compiler"
done

say "building"
begin=$(date +%s.%N)
(
  cd "$work/clone" || exit
  export SWIFT_EXEC=$work/bin/swiftc CC=$work/bin/clang
  build_release skynet
) >&2
printf '%.0f s on %d processors\n' "$(calculate "$(date +%s.%N) - $begin")" "$(nproc)"

"$python" "$here/modules.py" "$work/times" "$work/clone/.build-release/release.yaml"
