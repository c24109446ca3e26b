# shellcheck shell=bash
#: documentation
#: Makes the reference of what an embedder imports, and the tutorial, with DocC. No warning may be left,
#: such as that of a parameter without a word, or of a link that leads nowhere. First it lists public
#: declarations that have no comment, of which there may be none either.

python3 Tests/Thorough/comments.py Sources/SkyNet{Kit,Core,Cluster,Journal,Command,TestKit}
need_swift
install_for_build
# SwiftPM would keep DocC's packages among those that a build is made of.
[[ -e Package.resolved ]] || swift package resolve
resolved=$(mktemp)
cp Package.resolved "$resolved"
trap 'mv "$resolved" Package.resolved' EXIT
# The libraries that the Swift Package Index documents.
read -ra names <<<"$(sed -n 's/.*documentation_targets: \[\(.*\)\].*/\1/p' .spi.yml | tr , ' ')"
libraries=$(sed -n 's/.*\.library(name: "\([^"]*\)".*/\1/p' Package.swift | sort)
[[ $(printf '%s\n' "${names[@]}" | sort) == "$libraries" ]] || die ".spi.yml names other libraries than Package.swift"
targets=()
for name in "${names[@]}"; do targets+=(--target "$name"); done
said=$(SKYNET_DOCUMENTATION=1 swift package generate-documentation --enable-experimental-combined-documentation \
  "${targets[@]}" 2>&1) || { printf '%s\n' "$said"; die "the reference could not be made"; }
printf '%s\n' "$said"
# SwiftPM warns of files of a dependency's own, which nothing here could mend.
warnings=$(grep '^warning:' <<<"$said" |
  grep -vc "^warning: 'swift-distributed-tracing': found .* unhandled") || true
echo "$warnings warnings"
[[ $warnings -eq 0 ]] || exit 1
