# shellcheck shell=bash
#: rows [ROUNDS]
#: The cost of a row in SQLite, which is a lower bound for the journal: with a key of two columns, with one
#: number for both, and with 25 rows per statement.
#
# ROUNDS is 5 by default, of 500,000 rows each; the file is in TMPDIR.

rounds=${1:-5}
need_rounds "$rounds"
need_c
install_packages libsqlite3-dev
need_work
compile rows -lsqlite3

readonly cases=("pair 1" "number 1" "pair 25" "number 25")
for ((round = 1; round <= rounds; round++)); do
  for rows in "${cases[@]}"; do
    rm -f "$work"/rows.sqlite*
    # shellcheck disable=SC2086 # two words
    note "${rows/ /-}" "$("$work/rows" "$work/rows.sqlite" 500000 $rows)"
  done
done
say "a row, in µs of processor time"
for rows in "${cases[@]}"; do
  median "${rows/ /-}" "%.2f µs" "key: ${rows% *}, ${rows#* } a statement"
done
