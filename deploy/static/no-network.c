// Stands in for libcurl in a release that has CFITSIO's archive linked into it. CFITSIO calls libcurl only for
// files with a URL, and SkyNet gives it memory, never a name. libcurl would bring some thirty libraries, with TLS,
// Kerberos and LDAP among them, and loading these takes longer than starting the program.
#include <stddef.h>

// The linker meets this file as often as -lcfitsio, and takes one of several weak definitions.
#pragma weak curl_global_init
#pragma weak curl_global_cleanup
#pragma weak curl_easy_init
#pragma weak curl_easy_cleanup
#pragma weak curl_easy_setopt
#pragma weak curl_easy_perform

enum { failed_to_start = 2 };

int curl_global_init(long flags) {
  (void)flags;
  return failed_to_start;
}

void curl_global_cleanup(void) {}

void *curl_easy_init(void) { return NULL; }

void curl_easy_cleanup(void *handle) { (void)handle; }

int curl_easy_setopt(void *handle, int option, ...) {
  (void)handle;
  (void)option;
  return failed_to_start;
}

int curl_easy_perform(void *handle) {
  (void)handle;
  return failed_to_start;
}
