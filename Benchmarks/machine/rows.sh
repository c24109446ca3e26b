# shellcheck shell=bash
#: rows [ROUNDS]
#: What a row costs SQLite, which the journal cannot go below: with a key of two columns, with one number for
#: both, and with 25 rows a statement.
#
# 5 rounds of 500,000 rows unless given; the file is in TMPDIR.

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
