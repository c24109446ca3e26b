# shellcheck shell=bash
#: journal [ROUNDS [TASKS]]
#: The journal's processor time for a task: to record it, and to read it again as a resume does; at 30,000
#: tasks per second, and at the highest rate.
#: Target: 4 to 5 µs per task, a fifth of a task's time without a journal.
#
# By default 5 rounds of 200,000 tasks. The measurement is in Sources/SkyNetBench/Journal.swift; the
# file is in TMPDIR. `Benchmarks/run million` measures the journal's cost for a run.

rounds=${1:-5}
tasks=${2:-200000}
need_rounds "$rounds"
need_count TASKS "$tasks"
need_bench

measure() { # OPTION...
  TMPDIR=$work "$bench" journal --tasks "$tasks" --runs "$rounds" "$@" || die "the journal went wrong"
}
say "30,000 tasks per second, $rounds rounds"
measure
say "as fast as entries are taken, $rounds rounds"
measure --rate 0
