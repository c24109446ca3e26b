// The system's resolver: its functions are macros of C, and its state is a structure that Swift cannot make.
#ifndef SKYNET_RESOLVER_H
#define SKYNET_RESOLVER_H

#include <sys/types.h>
#include <netinet/in.h>
#include <arpa/nameser.h>
#include <netdb.h>
#include <resolv.h>
#include <string.h>

enum { resolver_not_found = HOST_NOT_FOUND, resolver_no_data = NO_DATA };

/// Asks for the SRV records of a name, in the domains of the system's search list too. Blocks meanwhile. Returns
/// how many bytes of the answer were stored; -1 if there is no answer, with its `h_errno` in `reason`.
static inline int resolver_services(const char *name, unsigned char *answer, int size, int *reason) {
  struct __res_state state;
  memset(&state, 0, sizeof state);
  *reason = TRY_AGAIN;
  if (res_ninit(&state) != 0) return -1;
  int count = res_nsearch(&state, name, 1 /* the internet's class */, 33 /* SRV */, answer, size);
  *reason = state.res_h_errno;
  res_nclose(&state);
  return count < size ? count : size;
}

#endif
