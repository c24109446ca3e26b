// Measures the round trip between two processes on loopback that send each other 140 bytes in turn
// over TCP, about the size of a task and its result. Each sleeps until the other's bytes arrive,
// or, with `spin`, polls for them.
//
//     wake ROUNDS [spin]
//
// Prints the median and the 99th percentile in µs.
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SIZE = 140 };

static void fail(const char *what) {
  perror(what);
  exit(2);
}

static double microseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static void send_bytes(int peer) {
  char bytes[SIZE] = {0};
  if (send(peer, bytes, SIZE, 0) != SIZE) fail("send");
}

// Returns 0 when the peer has closed the connection.
static int receive_bytes(int peer) {
  char bytes[SIZE];
  for (int have = 0; have < SIZE;) {
    ssize_t count = recv(peer, bytes + have, SIZE - have, 0);
    if (count == 0) return 0;
    if (count > 0) have += count;
    else if (errno != EAGAIN && errno != EINTR) fail("recv");
  }
  return 1;
}

static void prepare(int peer, int spins) {
  int yes = 1;
  if (setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes) != 0) fail("setsockopt");
  if (spins && fcntl(peer, F_SETFL, O_NONBLOCK) != 0) fail("fcntl");
}

static int ascending(const void *one, const void *other) {
  double a = *(const double *)one, b = *(const double *)other;
  return (a > b) - (a < b);
}

int main(int count, char **arguments) {
  int rounds = count > 1 ? atoi(arguments[1]) : 0, spins = count > 2 && !strcmp(arguments[2], "spin");
  if (rounds < 100) {
    fputs("usage: wake ROUNDS [spin]      (at least 100)\n", stderr);
    return 64;
  }
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 1) != 0
      || getsockname(listener, (struct sockaddr *)&address, &length) != 0)
    fail("listen");
  pid_t child = fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    int peer = accept(listener, NULL, NULL);
    if (peer < 0) fail("accept");
    prepare(peer, spins);
    while (receive_bytes(peer)) send_bytes(peer);
    return 0;
  }
  int peer = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(peer, (struct sockaddr *)&address, length) != 0) fail("connect");
  prepare(peer, spins);
  double *times = malloc(rounds * sizeof *times);
  if (times == NULL) fail("malloc");
  // The first hundred round trips only warm up.
  for (int round = -100; round < rounds; round++) {
    double begin = microseconds();
    send_bytes(peer);
    if (!receive_bytes(peer)) fail("the other process");
    if (round >= 0) times[round] = microseconds() - begin;
  }
  close(peer);
  waitpid(child, NULL, 0);
  qsort(times, rounds, sizeof *times, ascending);
  printf("%.1f %.1f\n", times[rounds / 2], times[rounds - 1 - rounds / 100]);
  return 0;
}
