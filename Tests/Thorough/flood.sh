# shellcheck shell=bash
#: flood
#: The cost of a thousand unauthenticated connections, and two hundred new ones a second, for a node and
#: its engagement. Target: 1.2 times the undisturbed time. Fails beyond 1.4 times and a second.
#
# Takes a minute.

endurance_test FloodTests
