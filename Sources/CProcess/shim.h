// Functions for processes that Swift cannot call: fork, which its Glibc module leaves out, variadic functions,
// and macros of C, for messages that carry descriptors and for seccomp's filters.
#ifndef SKYNET_PROCESS_H
#define SKYNET_PROCESS_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/memfd.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#endif

// glibc declares these only with _GNU_SOURCE, and Swift reads its headers without it.
#if defined(__linux__) && !defined(F_ADD_SEALS)
#define F_ADD_SEALS 1033
#define F_SEAL_SEAL 1
#define F_SEAL_SHRINK 2
#define F_SEAL_GROW 4
#endif

// glibc declares it only with _GNU_SOURCE. It opens a place without the right to read it, and without effects.
#if defined(__linux__) && !defined(O_PATH)
#define O_PATH 010000000
#endif
#ifndef O_PATH
#define O_PATH 0
#endif

extern char **environ;

static inline pid_t process_fork(void) { return fork(); }

/// Forks a child of this process's parent: a brother, for which the parent waits. Elsewhere than on Linux it is an
/// ordinary child. It runs none of the C library's handlers for forks, so only a process with one thread may call it.
static inline pid_t process_fork_brother(void) {
#ifdef __linux__
  return (pid_t)syscall(SYS_clone, (unsigned long)(CLONE_PARENT | SIGCHLD), 0, 0, 0, 0);
#else
  return fork();
#endif
}

enum { process_most_descriptors = 3 };

/// Space for a message's descriptors, aligned as the kernel needs it.
union process_control {
  struct cmsghdr header;
  char room[CMSG_SPACE(sizeof(int) * process_most_descriptors)];
};

/// Makes a message of one part, without descriptors.
static inline struct msghdr process_message(struct iovec *part) {
  struct msghdr message;
  memset(&message, 0, sizeof message);
  message.msg_iov = part;
  message.msg_iovlen = 1;
  return message;
}

/// Sends bytes, and descriptors with the first byte. Returns how many bytes were sent, or -1.
static inline ssize_t process_send(int socket, const void *bytes, size_t count,
                                   const int *descriptors, int descriptor_count) {
  struct iovec part = {(void *)bytes, count};
  union process_control control;
  struct msghdr message = process_message(&part);
  if (descriptor_count > process_most_descriptors) {
    errno = EINVAL;
    return -1;
  }
  if (descriptor_count > 0) {
    size_t size = sizeof(int) * (size_t)descriptor_count;
    memset(&control, 0, sizeof control);
    message.msg_control = control.room;
    message.msg_controllen = CMSG_SPACE(size);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(size);
    memcpy(CMSG_DATA(header), descriptors, size);
  }
#ifdef MSG_NOSIGNAL
  return sendmsg(socket, &message, MSG_NOSIGNAL);
#else
  return sendmsg(socket, &message, 0);
#endif
}

/// Receives bytes, and the descriptors that came with them, whose number it stores in `descriptor_count`. Programs that
/// are started do not inherit these. Returns how many bytes came, 0 at the end, or -1.
static inline ssize_t process_receive(int socket, void *bytes, size_t count, int *descriptors,
                                      int *descriptor_count) {
  struct iovec part = {bytes, count};
  union process_control control;
  struct msghdr message = process_message(&part);
  message.msg_control = control.room;
  // Not the whole room, whose end is only there for alignment: a further descriptor would fit.
  message.msg_controllen = CMSG_LEN(sizeof(int) * process_most_descriptors);
  *descriptor_count = 0;
#ifdef MSG_CMSG_CLOEXEC
  ssize_t result = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
#else
  ssize_t result = recvmsg(socket, &message, 0);
#endif
  if (result < 0) return result;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
    size_t size = header->cmsg_len - CMSG_LEN(0);
    *descriptor_count = (int)(size / sizeof(int));
    memcpy(descriptors, CMSG_DATA(header), size);
#ifndef MSG_CMSG_CLOEXEC
    for (int index = 0; index < *descriptor_count; index++) {
      fcntl(descriptors[index], F_SETFD, FD_CLOEXEC);
    }
#endif
  }
  return result;
}

/// Makes a socket of this machine with a path: one that listens there, or one that is connected to whoever does, which
/// takes at most `seconds`, and as long to receive. Returns a descriptor, or -1.
static inline int process_local_socket(const char *path, int listens, int seconds) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(address.sun_path, path);
  struct timeval most = {.tv_sec = seconds};
  int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  if (descriptor < 0) return -1;
  fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  const struct sockaddr *place = (const struct sockaddr *)&address;
  int result = listens || seconds == 0
                   ? fcntl(descriptor, F_SETFL, O_NONBLOCK)
                   : setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most)
                         | setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
  if (result == 0) {
    result = listens ? bind(descriptor, place, sizeof address) || listen(descriptor, 128)
                     : connect(descriptor, place, sizeof address);
  }
  if (result == 0) return descriptor;
  int reason = errno;
  close(descriptor);
  errno = reason;
  return -1;
}

/// Which user's process is at the other end of such a socket, and its number here: 0 if this process's PID namespace
/// does not have it. Returns 0, or -1.
static inline int process_peer(int socket, uid_t *user, pid_t *process) {
#ifdef __linux__
  // `struct ucred`, which glibc declares only with _GNU_SOURCE.
  struct { pid_t process; uid_t user; gid_t group; } peer;
  socklen_t size = sizeof peer;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return -1;
  *user = peer.user;
  *process = peer.process;
  return 0;
#else
  gid_t group;
  *process = 0;
  return getpeereid(socket, user, &group);
#endif
}

/// Makes memory that two processes can share, and returns its descriptor, or -1. On Linux the size can never be
/// changed.
static inline int process_shared_memory(size_t size) {
#ifdef __linux__
  int descriptor =
      (int)syscall(SYS_memfd_create, "skynet", MFD_CLOEXEC | MFD_ALLOW_SEALING);
#else
  char name[] = "/tmp/skynet-XXXXXX";
  int descriptor = mkstemp(name);
  if (descriptor >= 0) {
    unlink(name);
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  }
#endif
  if (descriptor < 0) return -1;
  int result = ftruncate(descriptor, (off_t)size);
#ifdef __linux__
  if (result == 0) {
    result = fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  }
#endif
  if (result == 0) return descriptor;
  int reason = errno;
  close(descriptor);
  errno = reason;
  return -1;
}

/// The type of the file system that holds an open file, as `statfs` tells; 0 if it is not known.
static inline long process_file_system(int descriptor) {
#if defined(__linux__) && defined(SYS_fstatfs)
  // The type is the first word of the kernel's struct. Its header would hide some of Glibc's from Swift.
  long words[32];
  if (syscall(SYS_fstatfs, descriptor, words) == 0) return words[0] & 0xffffffff;
#endif
  return 0;
}

/// Opens a path below an open directory one name after the other, and follows no symbolic link: then it fails with
/// ELOOP. The path has no empty names, nor `.` or `..`. Returns a descriptor, or -1.
static inline int process_walk_beneath(int directory, const char *path, int flags) {
  int place = fcntl(directory, F_DUPFD_CLOEXEC, 0);
  while (place >= 0) {
    char name[256];
    size_t length = strcspn(path, "/");
    int last = path[length] == 0;
    if (length == 0 || length >= sizeof name) {
      close(place);
      errno = length == 0 ? EINVAL : ENAMETOOLONG;
      return -1;
    }
    memcpy(name, path, length);
    name[length] = 0;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
      close(place);
      errno = EXDEV;
      return -1;
    }
    // With O_PATH the last name is opened even if it is a symbolic link, so that is looked up first. If it becomes one
    // afterwards, O_NOFOLLOW leads nowhere else.
    char byte;
    int next = -1;
    if (readlinkat(place, name, &byte, 1) >= 0) {
      errno = ELOOP;
    } else {
      next = openat(place, name,
                    last ? flags | O_NOFOLLOW : O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    }
    int reason = errno;
    close(place);
    errno = reason;
    if (last || next < 0) return next;
    place = next;
    path += length + 1;
  }
  return -1;
}

/// Opens a path below an open directory, and follows no symbolic link: then it fails with ELOOP. Returns a
/// descriptor, or -1.
static inline int process_open_beneath(int directory, const char *path, int flags) {
#if defined(__linux__) && defined(SYS_openat2)
  // `struct open_how` of linux/openat2.h, with RESOLVE_NO_MAGICLINKS, RESOLVE_NO_SYMLINKS and RESOLVE_BENEATH.
  struct { uint64_t flags, mode, resolve; } how = {(uint64_t)flags, 0, 0x02 | 0x04 | 0x08};
  int descriptor = (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
  // Older kernels lack the call, and containers forbid it.
  if (descriptor >= 0 || (errno != ENOSYS && errno != EPERM)) return descriptor;
#endif
  return process_walk_beneath(directory, path, flags);
}

/// Overwrites the environment's names and values, as there may be a secret among them.
static inline void process_forget_environment(void) {
  if (!environ) return;
  for (char **variable = environ; *variable; variable++) {
    volatile char *byte = *variable;
    while (*byte) *byte++ = 0;
  }
  *environ = NULL;
}

/// Closes all descriptors of a child but `kept`, which becomes 3; 0, 1 and 2 become /dev/null. Returns 0, or -1.
static inline int process_keep_descriptor(int kept) {
  int nowhere = open("/dev/null", O_RDWR);
  if (nowhere < 0) return -1;
  // Numbers above 9, so that no dup2 below overwrites one of the two.
  int socket = fcntl(kept, F_DUPFD, 10);
  int null = fcntl(nowhere, F_DUPFD, 10);
  if (socket < 0 || null < 0) return -1;
  for (int number = 0; number < 3; number++) {
    if (dup2(null, number) < 0) return -1;
  }
  if (dup2(socket, 3) < 0) return -1;
#if defined(__linux__) && defined(SYS_close_range)
  if (syscall(SYS_close_range, 4u, ~0u, 0u) == 0) return 0;
#endif
  long most = sysconf(_SC_OPEN_MAX);
  for (int number = 4; number < most; number++) close(number);
  return 0;
}

/// How many bytes of data and stack this process has (many, with a sanitizer); 0 if that is not known.
static inline uint64_t process_memory(void) {
#ifdef __linux__
  char text[128] = "";
  int file = open("/proc/self/statm", O_RDONLY);
  if (file < 0) return 0;
  ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  unsigned long data = 0;
  if (count <= 0 || sscanf(text, "%*u %*u %*u %*u %*u %lu", &data) != 1) return 0;
  return (uint64_t)data * (uint64_t)sysconf(_SC_PAGESIZE);
#else
  return 0;
#endif
}

/// Limits a child to `memory` further bytes of data and to few descriptors, and lets it dump no core and make no
/// file grow. Returns 0, or -1.
static inline int process_limit(uint64_t memory) {
  struct { int what; uint64_t most; } limits[] = {
    {RLIMIT_CORE, 0}, {RLIMIT_FSIZE, 0}, {RLIMIT_NOFILE, 16}, {RLIMIT_DATA, memory + process_memory()},
  };
  for (size_t index = 0; index < sizeof limits / sizeof *limits; index++) {
    struct rlimit limit;
    if (getrlimit(limits[index].what, &limit) != 0) return -1;
    if (limit.rlim_max > limits[index].most) limit.rlim_max = limits[index].most;
    if (limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
    if (setrlimit(limits[index].what, &limit) != 0) return -1;
  }
#ifdef __linux__
  // When the machine runs out of memory, the kernel kills this process before any other. A failure to set that
  // does no harm.
  int score = open("/proc/self/oom_score_adj", O_WRONLY);
  if (score >= 0) {
    ssize_t ignored = write(score, "1000", 4);
    (void)ignored;
    close(score);
  }
#endif
  return 0;
}

#ifdef __linux__

#if defined(__x86_64__)
#define PROCESS_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define PROCESS_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define PROCESS_ALLOW(number) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
// The third argument is the protection, in the low half of a little-endian word.
#define PROCESS_ALLOW_UNLESS_CODE(number) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4), \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])), \
  BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0), \
  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW), \
  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

// The first argument decides, in the low half of a little-endian word; the kernel reads no more of it.
#define PROCESS_ALLOW_FOR(number, argument) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4), \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])), \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, argument, 0, 1), \
  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW), \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))

#define PROCESS_FILTER_BEGINNING \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)), \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PROCESS_ARCHITECTURE, 1, 0), \
  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS), \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))

// What a reader needs.
#define PROCESS_FILTER_END \
  PROCESS_ALLOW(SYS_read), \
  PROCESS_ALLOW(SYS_write), \
  PROCESS_ALLOW(SYS_sendmsg), \
  PROCESS_ALLOW(SYS_recvmsg), \
  PROCESS_ALLOW(SYS_close), \
  PROCESS_ALLOW(SYS_brk), \
  PROCESS_ALLOW(SYS_munmap), \
  PROCESS_ALLOW(SYS_mremap), \
  PROCESS_ALLOW(SYS_madvise), \
  PROCESS_ALLOW(SYS_futex), \
  PROCESS_ALLOW(SYS_getrandom), \
  PROCESS_ALLOW(SYS_clock_gettime), \
  PROCESS_ALLOW(SYS_gettimeofday), \
  PROCESS_ALLOW(SYS_sched_yield), \
  PROCESS_ALLOW(SYS_rt_sigprocmask), \
  PROCESS_ALLOW(SYS_rt_sigreturn), \
  PROCESS_ALLOW(SYS_restart_syscall), \
  PROCESS_ALLOW(SYS_exit), \
  PROCESS_ALLOW(SYS_exit_group), \
  PROCESS_ALLOW_UNLESS_CODE(SYS_mmap), \
  PROCESS_ALLOW_UNLESS_CODE(SYS_mprotect), \
  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

// The numbers of the x32 ABI.
#ifdef __x86_64__
#define PROCESS_REFUSE_X32 \
  BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1), \
  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
#else
#define PROCESS_REFUSE_X32
#endif

/// Gives up, for good, gaining privileges by running programs, and being traced or dumped. Returns 0, or -1.
static inline int process_give_up_privileges(void) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

/// Gives up, for good, every system call that is not needed to read open files. Allowed are memory that is not
/// executable, reading and writing open descriptors, messages, and exiting. All others fail with EPERM. Needs
/// `process_give_up_privileges` before. Returns 0, or -1.
static inline int process_confine(void) {
#ifndef PROCESS_ARCHITECTURE
  errno = ENOSYS;
  return -1;
#else
  struct sock_filter filter[] = {
    PROCESS_FILTER_BEGINNING,
    PROCESS_REFUSE_X32
    PROCESS_FILTER_END,
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
#endif
}

/// The same for a process that starts readers: it may also fork brothers, and they may name themselves, end with
/// their parent, and confine themselves further. Returns 0, or -1.
static inline int process_confine_spawner(void) {
#ifndef PROCESS_ARCHITECTURE
  errno = ENOSYS;
  return -1;
#else
  struct sock_filter filter[] = {
    PROCESS_FILTER_BEGINNING,
    PROCESS_REFUSE_X32
    PROCESS_ALLOW_FOR(SYS_clone, CLONE_PARENT | SIGCHLD),
    PROCESS_ALLOW_FOR(SYS_prctl, PR_SET_NAME),
    PROCESS_ALLOW_FOR(SYS_prctl, PR_SET_PDEATHSIG),
    PROCESS_ALLOW_FOR(SYS_prctl, PR_SET_SECCOMP),
    PROCESS_ALLOW(SYS_getppid),
    PROCESS_FILTER_END,
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
#endif
}

/// Names this process, and makes the kernel kill it when its parent ends.
static inline int process_end_with_parent(const char *name) {
  prctl(PR_SET_NAME, name, 0, 0, 0);
  return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

/// Tries to trace a process.
static inline long process_trace(pid_t process) {
  return ptrace(PTRACE_ATTACH, process, NULL, NULL);
}

#endif
#endif
