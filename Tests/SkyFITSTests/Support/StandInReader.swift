import Foundation
import SkyDetection
import SkyProcess
import SkyTestSupport
import Testing

@testable import SkyFITS

/// A child of the test's process that stands in for a reader. A test cannot fork a reader, because
/// it has many threads. But any program that holds the socket's other end can be stopped, be
/// killed, or hang.
struct StandInReader {
  let pid: pid_t
  /// The socket for a link, which closes it.
  let socket: CInt
  /// The test's copy of the child's end.
  let childEnd: CInt

  /// Starts a program that inherits no other descriptor and no environment.
  ///
  /// - Parameter isReady: whether the child has sent that it is ready, as a reader does first.
  init(_ program: String, _ arguments: String..., isReady: Bool = true) throws {
    var ends: [CInt] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
    (socket, childEnd) = (ends[0], ends[1])
    if isReady { try ProcessSocket(socket: childEnd).pass(ReaderAnswer.ready(0).bytes) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, childEnd, 3)
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var id: pid_t = 0
    try #require(posix_spawn(&id, program, &actions, nil, &words, nil) == 0)
    pid = id
  }

  /// Whether nothing is left of the child, not even its exit status.
  var isReaped: Bool { waitpid(pid, nil, WNOHANG) == -1 && errno == ECHILD }

  /// Calls the closure on another thread when a request has been sent to the child.
  func onRequest(_ body: @escaping @Sendable (StandInReader) -> Void) {
    Thread.detachNewThread {
      var arrival = pollfd(fd: childEnd, events: Int16(POLLIN), revents: 0)
      while poll(&arrival, 1, -1) < 0, errno == EINTR {}
      body(self)
    }
  }
}
