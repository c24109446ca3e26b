// Measures the cost of a row in SQLite, by the table's key and the number of rows per statement:
// writes ROWS rows like a journal's, 250 in a transaction, into a file with a write-ahead log.
//
//     rows FILE ROWS pair|number PER_STATEMENT
//
// `pair` has a key of two columns, pass and sector; `number` has both in one. Prints µs of
// processor time per row. Nothing is synced, since that would measure the disk.
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { TRANSACTION = 250, MOST = 25 };

static sqlite3 *database;

static void check(int status) {
  if (status == SQLITE_OK || status == SQLITE_DONE) return;
  fprintf(stderr, "rows: %s\n", sqlite3_errmsg(database));
  exit(2);
}

static void execute(const char *statement) { check(sqlite3_exec(database, statement, NULL, NULL, NULL)); }

static double processor_microseconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 + usage.ru_utime.tv_usec
      + usage.ru_stime.tv_usec;
}

int main(int count, char **arguments) {
  int rows = count > 2 ? atoi(arguments[2]) : 0, pair = count > 3 && strcmp(arguments[3], "pair") == 0;
  int each = count > 4 ? atoi(arguments[4]) : 0;
  if (rows < TRANSACTION || each < 1 || each > MOST || TRANSACTION % each != 0) {
    fputs("usage: rows FILE ROWS pair|number PER_STATEMENT      (from 250; 1, 2, 5, 10 or 25)\n", stderr);
    return 64;
  }
  check(sqlite3_open(arguments[1], &database));
  execute("PRAGMA journal_mode = wal; PRAGMA synchronous = off");
  execute(pair ? "CREATE TABLE output (pass INTEGER, sector INTEGER, system INTEGER, start INTEGER, "
                 "seconds REAL, result TEXT, PRIMARY KEY (pass, sector)) WITHOUT ROWID"
               : "CREATE TABLE output (number INTEGER PRIMARY KEY, system INTEGER, start INTEGER, "
                 "seconds REAL, result TEXT)");
  char text[1024] = "INSERT INTO output VALUES ";
  for (int row = 0; row < each; row++) {
    if (row > 0) strcat(text, ",");
    strcat(text, pair ? "(?,?,?,?,?,?)" : "(?,?,?,?,?)");
  }
  sqlite3_stmt *insert;
  check(sqlite3_prepare_v2(database, text, -1, &insert, NULL));
  double begin = processor_microseconds();
  int written = 0;
  while (written + TRANSACTION <= rows) {
    execute("BEGIN IMMEDIATE");
    for (int statement = 0; statement < TRANSACTION / each; statement++) {
      char results[MOST][16];
      int column = 1;
      for (int row = 0; row < each; row++, written++) {
        if (pair) check(sqlite3_bind_int(insert, column++, 1));
        check(sqlite3_bind_int(insert, column++, written));
        check(sqlite3_bind_int(insert, column++, written % 4));
        check(sqlite3_bind_int64(insert, column++, 1000000LL + written * 33));
        check(sqlite3_bind_double(insert, column++, written * 1e-6));
        snprintf(results[row], sizeof results[row], "%d", written);
        check(sqlite3_bind_text(insert, column++, results[row], -1, SQLITE_STATIC));
      }
      check(sqlite3_step(insert));
      check(sqlite3_reset(insert));
    }
    execute("COMMIT");
  }
  printf("%.2f\n", (processor_microseconds() - begin) / written);
  check(sqlite3_finalize(insert));
  check(sqlite3_close(database));
  return 0;
}
