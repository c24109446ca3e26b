# shellcheck shell=bash
#: large-sectors
#: Sends a hundred sectors of 40 MB to a node of 64 slots, which holds at most 1 GiB for one peer: the node
#: must work on as many as fit, without a re-run, and stay below 1.5 GiB.
#
# Needs 2 GiB of memory; takes minutes.

endurance_test LargeSectorTests
