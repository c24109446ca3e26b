# shellcheck shell=bash
#: fairness
#: The shares of the same slots that two and three engagements get, also if the scans of one take five
#: times as long. Fails beyond 10 % from an equal share.
#
# Takes two minutes.

endurance_test FairnessTests
