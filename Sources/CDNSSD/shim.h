// libdns_sd, which is loaded when it is first called. Linked, it would bring eleven more libraries into every
// command, D-Bus and systemd's among them, and few commands look for anything by DNS-SD.
//
// All functions are for one thread at a time. Those that return a code return kDNSServiceErr_Unsupported if there
// is no library, with errno as loading left it.
#include <dlfcn.h>
#include <dns_sd.h>
#include <stddef.h>

#ifdef __APPLE__
// It is a part of the system's library, which is loaded anyway.
static inline void *dns_sd_library(void) { return RTLD_DEFAULT; }
#else
/// The handle of the library; NULL if it is not there.
static inline void *dns_sd_library(void) {
  static void *library = NULL;
  if (library == NULL) library = dlopen("libdns_sd.so.1", RTLD_NOW | RTLD_LOCAL);
  return library;
}
#endif

/// A function of the library; NULL if it is not there.
static inline void *dns_sd_function(const char *name) {
  void *library = dns_sd_library();
#ifndef __APPLE__
  if (library == NULL) return NULL;
#endif
  return dlsym(library, name);
}

#define DNS_SD_FUNCTION(name) __typeof__(name) *function = (__typeof__(name) *)dns_sd_function(#name)

static inline DNSServiceErrorType dns_sd_browse(
    DNSServiceRef *reference, DNSServiceFlags flags, uint32_t interface, const char *type, const char *domain,
    DNSServiceBrowseReply callback, void *context) {
  DNS_SD_FUNCTION(DNSServiceBrowse);
  if (function == NULL) return kDNSServiceErr_Unsupported;
  return function(reference, flags, interface, type, domain, callback, context);
}

static inline DNSServiceErrorType dns_sd_resolve(
    DNSServiceRef *reference, DNSServiceFlags flags, uint32_t interface, const char *name, const char *type,
    const char *domain, DNSServiceResolveReply callback, void *context) {
  DNS_SD_FUNCTION(DNSServiceResolve);
  if (function == NULL) return kDNSServiceErr_Unsupported;
  return function(reference, flags, interface, name, type, domain, callback, context);
}

static inline DNSServiceErrorType dns_sd_query_record(
    DNSServiceRef *reference, DNSServiceFlags flags, uint32_t interface, const char *name, uint16_t type,
    uint16_t class, DNSServiceQueryRecordReply callback, void *context) {
  DNS_SD_FUNCTION(DNSServiceQueryRecord);
  if (function == NULL) return kDNSServiceErr_Unsupported;
  return function(reference, flags, interface, name, type, class, callback, context);
}

static inline DNSServiceErrorType dns_sd_register(
    DNSServiceRef *reference, DNSServiceFlags flags, uint32_t interface, const char *name, const char *type,
    const char *domain, const char *host, uint16_t port, uint16_t text_length, const void *text,
    DNSServiceRegisterReply callback, void *context) {
  DNS_SD_FUNCTION(DNSServiceRegister);
  if (function == NULL) return kDNSServiceErr_Unsupported;
  return function(
      reference, flags, interface, name, type, domain, host, port, text_length, text, callback, context);
}

static inline int dns_sd_descriptor(DNSServiceRef reference) {
  DNS_SD_FUNCTION(DNSServiceRefSockFD);
  return function == NULL ? -1 : function(reference);
}

static inline DNSServiceErrorType dns_sd_process_result(DNSServiceRef reference) {
  DNS_SD_FUNCTION(DNSServiceProcessResult);
  return function == NULL ? kDNSServiceErr_Unsupported : function(reference);
}

static inline void dns_sd_deallocate(DNSServiceRef reference) {
  DNS_SD_FUNCTION(DNSServiceRefDeallocate);
  if (function != NULL) function(reference);
}

#undef DNS_SD_FUNCTION
