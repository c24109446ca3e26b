# shellcheck shell=bash
#: stragglers
#: The delay of a run by a slow system: three nodes, one of them twenty times slower than the others.
#: Target: 1.25 times the ideal time; 1.05 for three equal nodes. Fails beyond twice that.
#
# Takes two minutes.

endurance_test StragglerTests
