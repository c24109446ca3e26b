#include "CBuild.h"

// A define of this target alone, so that another commit compiles this file and links, and nothing else.
#ifndef SKYNET_COMMIT
#define SKYNET_COMMIT ""
#endif

const char *skynet_build_commit(void) { return SKYNET_COMMIT; }
