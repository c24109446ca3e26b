# shellcheck shell=bash
#: stragglers
#: How much a slow system delays a run: three nodes, one of them twenty times slower than the others.
#: Target: 1.25 times the ideal time; 1.05 for three equal nodes. Fails beyond twice that.
#
# Takes two minutes.

endurance_test StragglerTests
