# shellcheck shell=bash
#: documentation
#: Makes the reference of what an embedder imports, and the tutorial, with DocC. No warning may be left,
#: such as that of a parameter without a word, or of a link that leads nowhere.

need_swift
install_for_build
# SwiftPM would keep DocC's packages among those that a build is made of.
[[ -e Package.resolved ]] || swift package resolve
resolved=$(mktemp)
cp Package.resolved "$resolved"
trap 'mv "$resolved" Package.resolved' EXIT
targets=()
for target in SkyNetKit SkyNetCluster SkyNetCore SkyNetTransport SkyNetKeys SkyNetDiscovery SkyNetJournal \
  SkyNetTestKit SkyNetCommand SkyDetection SkyFITS SkyCatalog SkyPicture SkyScan SkyPrograms; do
  targets+=(--target "$target")
done
said=$(SKYNET_DOCUMENTATION=1 swift package generate-documentation --enable-experimental-combined-documentation \
  "${targets[@]}" 2>&1) || { printf '%s\n' "$said"; die "the reference could not be made"; }
printf '%s\n' "$said"
warnings=$(grep -c '^warning:' <<<"$said") || true
echo "$warnings warnings"
[[ $warnings -eq 0 ]] || exit 1
