# shellcheck shell=bash
#: nemesis [--seconds S] [--seed N]
#: Kills, stops, drains, cuts, delays and breaks everything around engagements, at random: no sector may be
#: lost. By default 5 minutes on virtual hosts, and 5 over connections that break.
#
# The hosts are made by deploy/lab, which needs root: without it that part is skipped. The script
# prints its seed, which repeats the plan.

while (($#)); do
  if [[ $1 != --seconds && $1 != --seed ]]; then
    echo "nemesis: there is no option $1" >&2
    exit 64
  elif [[ ! ${2-} =~ ^[1-9][0-9]{0,17}$ ]]; then
    echo "nemesis: $1 needs a number from 1 on" >&2
    exit 64
  fi
  case $1 in
    --seconds) export SKYNET_NEMESIS_SECONDS=$2 ;;
    --seed) export SKYNET_NEMESIS_SEED=$2 ;;
  esac
  shift 2
done

install_for_discovery
install_packages iproute2
[[ $EUID -eq 0 ]] || echo "not root: virtual hosts (deploy/lab) are skipped" >&2
endurance_test NemesisTests
