# shellcheck shell=bash
#: crashes
#: Kills the coordinator of one run of 2,000 sectors at twenty random moments, and one of its nodes every
#: three seconds. Each process resumes the run from the journal; every sector must be in the results
#: exactly once.
#
# SKYNET_CRASHES_SEED repeats the moments. Takes two minutes.

endurance_test CrashTests
