# shellcheck shell=bash
#: build-time [FOLDER]
#: The processor time of the compilers in a release build of a clean clone, by package, and by SkyNet's own
#: modules.
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

sums() { # COLUMN
  awk -F'\t' -v column="$1" '
    { sum[$column] += $1; all += $1 }
    END { for (name in sum) printf "%6.1f s %3.0f %%  %s\n", sum[name], 100 * sum[name] / all, name }' \
    | sort -rn
}
say "processor time of the compilers"
sums 2 <"$work/times"
say "of SkyNet's own"
grep $'\tSkyNet\t' "$work/times" | sums 3
