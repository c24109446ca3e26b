# shellcheck shell=bash
#: large-sectors
#: A hundred sectors of 40 MB for a node of 64 slots, which holds at most 1 GiB for one peer: the node has
#: to take part with what fits, without a re-run, and to stay below 1.5 GiB.
#
# Needs 2 GiB of memory; takes minutes.

endurance_test LargeSectorTests
