# shellcheck shell=bash
#: fairness
#: The shares that two and three engagements get of the same slots, also when the scans of one take five
#: times as long. Fails beyond 10 % from an equal share.
#
# Takes two minutes.

endurance_test FairnessTests
