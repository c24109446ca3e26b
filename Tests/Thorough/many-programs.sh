# shellcheck shell=bash
#: many-programs
#: Runs 10,000 short programs on one node, and kills a coordinator of programs twenty times: memory and descriptors
#: of node and engagement may not grow, no process may be left, and what the journal holds as done may not be started
#: again.

endurance_test 'ProgramLoadTests|ProgramCrashTests'
