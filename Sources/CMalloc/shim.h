// The settings of glibc's allocator, which Swift's Glibc module leaves out.
#include <malloc.h>

#include <stdlib.h>

// Takes a block of the calling thread's arena and frees it. It is so large that glibc then looks whether the arena's
// end is to be given back. The barrier keeps the compiler from leaving both out.
static inline void skynet_touch_arena(void) {
  void *block = malloc(128 << 10);
  __asm__ volatile("" : : "r"(block) : "memory");
  free(block);
}
