import Foundation
import SkyDetection
import SkyTestSupport
import Testing

@testable import SkyFITS

/// A child of the test's process in a reader's place. A test cannot fork a reader, as it has many threads;
/// any program that holds the socket's other end can be stopped, killed, or hang, as well as one.
struct StandInReader {
  let pid: pid_t
  /// For a link, which closes it.
  let socket: CInt
  /// The test's copy of the child's end.
  let far: CInt

  /// It inherits nothing else that is open, and no environment.
  ///
  /// - Parameter isReady: whether the child has told that it is ready, as a reader does first.
  init(_ program: String, _ arguments: String..., isReady: Bool = true) throws {
    var ends: [CInt] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
    (socket, far) = (ends[0], ends[1])
    if isReady { try ReaderConnection(socket: far).send(ReaderAnswer.ready(0).bytes) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, far, 3)
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var id: pid_t = 0
    try #require(posix_spawn(&id, program, &actions, nil, &words, nil) == 0)
    pid = id
  }

  /// Whether nothing is left of it, not even its exit status.
  var isReaped: Bool { waitpid(pid, nil, WNOHANG) == -1 && errno == ECHILD }

  /// Calls when something was sent to it, on another thread.
  func whenAsked(_ body: @escaping @Sendable (StandInReader) -> Void) {
    Thread.detachNewThread {
      var arrival = pollfd(fd: far, events: Int16(POLLIN), revents: 0)
      while poll(&arrival, 1, -1) < 0, errno == EINTR {}
      body(self)
    }
  }
}
