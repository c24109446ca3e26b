import CProcess
import Foundation

/// The processes of one program: the keeper's only children, and all below them.
struct KeptChildren {
  /// The program's first process.
  let program: pid_t
  /// What `waitpid` gave for it; `nil` while it runs.
  private(set) var status: CInt?

  /// How long processes have between SIGTERM and SIGKILL, and those that a program leaves before SIGTERM, in seconds.
  /// With what the killing takes, it is less than a node waits for a scan that was cancelled before it writes the scan's
  /// slot off.
  static let grace = 1.0

  /// How long a keeper has to end a program, in seconds: more than it takes, unless it is stopped.
  static let keepersTime = grace + 3

  init(program: pid_t) { self.program = program }

  /// Takes the statuses of all that have ended.
  ///
  /// - Returns: whether any child is left. Orphans become children before the end of their parent is
  ///   told, so if none is left, nothing of the program is.
  mutating func reap() -> Bool {
    while true {
      var status: CInt = 0
      let process = waitpid(-1, &status, WNOHANG)
      if process == program { self.status = status }
      if process == 0 { return true }
      if process < 0, errno != EINTR { return isGroupThere }
    }
  }

  /// Where orphans do not become children (elsewhere than on Linux), the program's group tells whether some are left.
  private var isGroupThere: Bool {
    #if os(Linux)
      false
    #else
      kill(-program, 0) == 0
    #endif
  }

  /// Ends all processes that are left, and waits until none is. One that hangs in the kernel, on a
  /// disk that does not answer, ends only when that lets it go.
  mutating func end() {
    guard reap() else { return }
    ProcessTree.signal(SIGTERM, from: roots)
    killRest(after: Self.grace)
  }

  /// Kills the processes that do not end by themselves within this time, in seconds, and waits until none is left.
  mutating func killRest(after time: Double) {
    guard !isEmpty(within: time) else { return }
    var seconds = 0.002
    repeat {
      ProcessTree.kill(from: roots)
      seconds = min(2 * seconds, 1)
    } while !isEmpty(within: seconds)
  }

  private var roots: [pid_t] {
    #if os(Linux)
      return ProcessTree.children()
    #else
      return [program]
    #endif
  }

  private mutating func isEmpty(within seconds: Double) -> Bool {
    let deadline = MonotonicTime.now + seconds
    while reap() {
      let rest = deadline - MonotonicTime.now
      guard rest > 0 else { return false }
      _ = process_await(nil, 0, CInt(rest * 1000) + 1)
    }
    return true
  }
}

/// The time since some beginning, which no change of the clock moves, in seconds.
enum MonotonicTime {
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
