# shellcheck shell=bash
#: flood
#: What a thousand held connections without a key, and two hundred new ones a second, cost a node and the
#: engagement that it works for. Target: 1.2 times the undisturbed time. Fails beyond 1.4 times and a second.
#
# Takes a minute.

endurance_test FloodTests
