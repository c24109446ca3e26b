// Tells ThreadSanitizer of the locks that it cannot see. Swift's Mutex, when it has to wait, locks by
// the kernel (futex with priority inheritance), from code of the standard library, which is not
// instrumented: whatever it guards would look unguarded.
//
// Loaded before all else (LD_PRELOAD), this stands in for the C library's `syscall`.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>

// There only where a program is built with the sanitizer.
void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

long syscall(long number, ...) {
  static long (*next)(long, ...);
  if (!next) next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");

  va_list list;
  va_start(list, number);
  long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
  long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
  va_end(list);

  int operation = number == SYS_futex ? (int)b & FUTEX_CMD_MASK : -1;
  if (operation == FUTEX_UNLOCK_PI && __tsan_release) __tsan_release((void *)a);
  long result = next(number, a, b, c, d, e, f);
  int locks = operation == FUTEX_LOCK_PI || operation == FUTEX_TRYLOCK_PI;
  if (locks && result == 0 && __tsan_acquire) __tsan_acquire((void *)a);
  return result;
}
