// Swift cannot call sqlite3_db_config, which is variadic.
#ifndef SKYNET_SQLITE_H
#define SKYNET_SQLITE_H

#include <sqlite3.h>

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
