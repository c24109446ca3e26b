// glibc's settings of its allocator, which Swift's Glibc module leaves out.
#include <malloc.h>
