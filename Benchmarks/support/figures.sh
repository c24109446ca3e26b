#!/bin/bash
# Sourced by Benchmarks/run: records the figures of rounds, and summarizes them.

calculate() { # EXPRESSION
  awk "BEGIN { printf \"%.6g\", $1 }"
}

note() { # NAME NUMBER
  echo "$2" >>"$work/noted.$1"
}

has_noted() { # NAME
  [[ -s $work/noted.$1 ]]
}

# Prints the median and the range of the figures that `note` has recorded for a name, and the
# target.
median() { # NAME FORMAT WORDS [TARGET]
  sort -g "$work/noted.$1" | awk -v format="$2" -v words="$3" -v target="${4:-}" '
    { value[NR] = $1 }
    END {
      middle = (value[int((NR + 1) / 2)] + value[int(NR / 2) + 1]) / 2
      printf "%s: median " format " (" format " to " format ")", words, middle, value[1], value[NR]
      if (target != "") printf ", target %s", target
      print ""
    }'
}
