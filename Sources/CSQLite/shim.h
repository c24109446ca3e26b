// Swift cannot call sqlite3_db_config, which is variadic.
#ifndef SKYNET_SQLITE_H
#define SKYNET_SQLITE_H

#include <sqlite3.h>

/// Makes a connection take what stands in double quotes for a name, and never for a text. Returns SQLite's code.
static inline int skynet_sqlite3_take_quotes_for_names(sqlite3 *connection) {
  int code = sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
  if (code != SQLITE_OK) return code;
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
}

/// Disables a connection's triggers and views, makes it distrust the schema, and makes it refuse statements that
/// could damage the file. Returns SQLite's code.
static inline int skynet_sqlite3_be_cautious(sqlite3 *connection) {
  static const struct {
    int setting, value;
  } settings[] = {
      {SQLITE_DBCONFIG_DEFENSIVE, 1},
      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
      {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
      {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
  };
  for (unsigned i = 0; i < sizeof settings / sizeof *settings; i++) {
    int code = sqlite3_db_config(connection, settings[i].setting, settings[i].value, (int *)0);
    if (code != SQLITE_OK) return code;
  }
  return SQLITE_OK;
}

#endif
