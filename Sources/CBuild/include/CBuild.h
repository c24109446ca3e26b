#ifndef SKYNET_CBUILD_H
#define SKYNET_CBUILD_H

/// The commit that the program was built from, as the build was told by the variable SKYNET_COMMIT; empty if it
/// was not told.
const char *skynet_build_commit(void);

#endif
