// Takes BUSY ms of processor time of every PERIOD ms, as a thread beside others does, until a
// signal ends it.
//
//     duty BUSY PERIOD
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double milliseconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

int main(int count, char **arguments) {
  double busy = count > 1 ? atof(arguments[1]) : 0, period = count > 2 ? atof(arguments[2]) : 0;
  if (!(busy > 0 && busy < period && period < 1000)) {
    fputs("usage: duty BUSY PERIOD      (ms: 0 < BUSY < PERIOD < 1000)\n", stderr);
    return 64;
  }
  for (;;) {
    double begin = milliseconds(CLOCK_MONOTONIC), used = milliseconds(CLOCK_PROCESS_CPUTIME_ID);
    while (milliseconds(CLOCK_PROCESS_CPUTIME_ID) - used < busy) continue;
    double left = period - (milliseconds(CLOCK_MONOTONIC) - begin);
    if (left > 0) nanosleep(&(struct timespec){.tv_nsec = (long)(left * 1e6)}, NULL);
  }
}
