// Bounds how many tests run at a time, in every process of tests, however it was started.
//
// Swift Testing starts all of them at once, unless an option says how many. All at once, two thousand tests would wait
// for a processor longer than a handshake, a connection or a silent peer may take. No setting of the package and no
// variable of the environment stands for the option. So a process that was started without it starts itself again with
// it, before anything else of it runs. Then its tests get threads of their own (Threads.swift).

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char option[] = "--experimental-maximum-parallelization-width";

// How many tests run at a time: they wait more than they compute.
long skynet_tests_width(void) { return 4 * sysconf(_SC_NPROCESSORS_ONLN); }

void skynet_tests_have_threads(void);

__attribute__((constructor)) static void start(int count, char **words) {
  int isSwiftTesting = 0;
  for (int i = 1; i < count; i++) {
    if (strncmp(words[i], option, sizeof option - 1) == 0) return skynet_tests_have_threads();
    if (strcmp(words[i], "swift-testing") == 0) isSwiftTesting = 1;
  }
  if (!isSwiftTesting) return;
  char **again = calloc(count + 3, sizeof *again);
  char width[24];
  snprintf(width, sizeof width, "%ld", skynet_tests_width());
  if (again == NULL) return;
  memcpy(again, words, count * sizeof *again);
  again[count] = (char *)option;
  again[count + 1] = width;
  execv("/proc/self/exe", again);
  perror("the process of tests cannot start itself again with a limit");
}
