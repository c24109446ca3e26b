#include <fitsio.h>
