// Functions to start programs and to end what they started, which Swift cannot call, or whose names the C library
// declares for GNU's C alone.
#ifndef SKYNET_PROGRAMS_H
#define SKYNET_PROGRAMS_H

#include <poll.h>
#include <spawn.h>
#include <time.h>

#include "shim.h"

#if defined(__linux__) && !defined(POSIX_SPAWN_SETSID)
#define POSIX_SPAWN_SETSID 0x80
#endif

/// The names and values of this process's environment, and a null pointer after them.
static inline char **process_environment(void) { return environ; }

/// Makes a pipe that programs do not inherit, with an end for reading that does not block. Returns 0, or -1.
static inline int process_pipe(int ends[2]) {
#ifdef __linux__
  if (syscall(SYS_pipe2, ends, O_CLOEXEC) != 0) return -1;
#else
  if (pipe(ends) != 0) return -1;
  for (int end = 0; end < 2; end++) fcntl(ends[end], F_SETFD, FD_CLOEXEC);
#endif
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return 0;
}

/// Starts a program in a session of its own, with the usual handling of signals, and these three descriptors alone if
/// all others of this process close on executing. Returns 0, or the system's error.
static inline int process_spawn(const char *path, char *const arguments[], char *const variables[],
                                int input, int output, int errors, pid_t *process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, usual;
  sigemptyset(&none);
  sigfillset(&usual);
  sigdelset(&usual, SIGKILL);
  sigdelset(&usual, SIGSTOP);
  int error = posix_spawn_file_actions_init(&actions);
  if (error != 0) return error;
  error = posix_spawnattr_init(&attributes);
  if (error != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return error;
  }
  int streams[] = {input, output, errors};
  for (int number = 0; number < 3 && error == 0; number++) {
    error = posix_spawn_file_actions_adddup2(&actions, streams[number], number);
  }
  if (error == 0) error = posix_spawnattr_setsigmask(&attributes, &none);
  if (error == 0) error = posix_spawnattr_setsigdefault(&attributes, &usual);
  if (error == 0) {
    error = posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  if (error == 0) error = posix_spawn(process, path, &actions, &attributes, arguments, variables);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

static inline void process_child_changed(int signal) { (void)signal; }

/// Makes the end of a child, or that it was stopped, interrupt `process_await`, and nothing else. Returns 0, or -1.
static inline int process_notice_children(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = process_child_changed;
  if (sigaction(SIGCHLD, &action, NULL) != 0) return -1;
  sigset_t children;
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  return sigprocmask(SIG_SETMASK, &children, NULL);
}

/// Waits as `poll` does, and also until a child has ended or was stopped, even before the call: then it returns -1, with
/// EINTR. Needs `process_notice_children` before.
static inline int process_await(struct pollfd *files, int count, int milliseconds) {
#ifdef __linux__
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  // What the kernel takes of a set of signals: eight bytes. The call changes the time.
  uint64_t none = 0;
  return (int)syscall(SYS_ppoll, files, count, milliseconds < 0 ? NULL : &time, &none, sizeof none);
#else
  // Without such a call, the end of a child is noticed a little later.
  if (milliseconds < 0 || milliseconds > 20) milliseconds = 20;
  return poll(files, (nfds_t)count, milliseconds);
#endif
}

/// Names this process, and makes it the parent of all processes below it whose own parent has ended. Returns 0, or -1.
static inline int process_adopt(const char *name) {
#ifdef __linux__
  prctl(PR_SET_NAME, name, 0, 0, 0);
  return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
#else
  (void)name;
  return 0;
#endif
}

/// Programs that this process starts, and theirs, gain no privileges by it, as by a set-user-ID bit. Returns 0, or -1.
static inline int process_gain_nothing(void) {
#ifdef __linux__
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#else
  return 0;
#endif
}
#endif
