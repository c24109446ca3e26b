# shellcheck shell=bash
#: journal [ROUNDS [TASKS]]
#: What the journal costs a task in processor time: to record it, and to read it again as a resume does; at
#: 30,000 tasks per second, and as fast as entries are taken.
#: Target: 4 to 5 µs a task, a fifth of what a task takes without a journal.
#
# 5 rounds of 200,000 tasks unless given. Sources/SkyNetBench/Journal.swift does the work; the file is in
# TMPDIR. `Benchmarks/run million` measures what the journal costs a run.

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
