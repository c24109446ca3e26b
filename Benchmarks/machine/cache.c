// Measures the time to read a place in memory that has not been read for a while: follows a chain
// through PLACES places of SIZE bytes in random order, and reads 20 MiB of other memory every 4,000
// steps, as much as the driver of `SkyNetBench decisions` touches between two of its measurements.
//
//     cache PLACES SIZE
// Prints nanoseconds per step.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { STEPS = 4000, TURNS = 200, OTHER = 20 << 20 };

static double nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

static uint64_t state = 17;

static uint64_t random_number(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

int main(int count, char **arguments) {
  size_t places = count > 1 ? strtoul(arguments[1], NULL, 10) : 0;
  size_t size = count > 2 ? strtoul(arguments[2], NULL, 10) : 0;
  if (places < 2 || places > 10000000 || size < sizeof(size_t) || size > 4096) {
    fputs("usage: cache PLACES SIZE      (2 to 10000000 places of 8 to 4096 bytes)\n", stderr);
    return 64;
  }
  char *memory = calloc(places, size);
  char *other = calloc(1, OTHER);
  size_t *order = malloc(places * sizeof *order);
  if (memory == NULL || other == NULL || order == NULL) {
    perror("cache");
    return 2;
  }
  // Each place holds the number of the next one: one cycle through all of them.
  for (size_t place = 0; place < places; place++) order[place] = place;
  for (size_t place = places - 1; place > 0; place--) {
    size_t swapped = random_number() % (place + 1), number = order[place];
    order[place] = order[swapped];
    order[swapped] = number;
  }
  for (size_t place = 0; place < places; place++)
    *(size_t *)(memory + order[place] * size) = order[(place + 1) % places];
  size_t place = 0;
  double sum = 0;
  for (int turn = 0; turn < TURNS; turn++) {
    for (size_t byte = 0; byte < OTHER; byte += 64) ((volatile char *)other)[byte]++;
    double begin = nanoseconds();
    for (int step = 0; step < STEPS; step++) place = *(volatile size_t *)(memory + place * size);
    sum += nanoseconds() - begin;
  }
  printf("%.1f\n", sum / ((double)STEPS * TURNS));
  return 0;
}
