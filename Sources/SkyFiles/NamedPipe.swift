import Dispatch
import Foundation
package import Synchronization

/// Named pipes in place of files: opening one waits for the program at its other end, and so may reading and writing.
package enum NamedPipe {
  /// Is called with a pipe's path once this process has waited for the other end for a second, once for each pipe.
  package static let whenWaiting = Mutex<(@Sendable (_ path: String) -> Void)?>(nil)

  private static let patience = DispatchTimeInterval.seconds(1)

  private struct Waits {
    private var count = 0
    private var short: Set<Int> = []
    fileprivate var long: [Int: String] = [:]
    private var told: Set<ExactText> = []

    mutating func begin() -> Int {
      count += 1
      short.insert(count)
      return count
    }

    /// - Returns: whether nobody was told yet of the pipe.
    mutating func lasts(_ wait: Int, for path: String) -> Bool {
      guard short.remove(wait) != nil else { return false }
      long[wait] = path
      return told.insert(ExactText(path)).inserted
    }

    mutating func end(_ wait: Int) {
      short.remove(wait)
      long[wait] = nil
    }
  }

  private static let waits = Mutex(Waits())

  /// The path of a pipe for whose other end this process has waited for a second, and still does.
  package static var awaited: String? { waits.withLock { $0.long.values.first } }

  /// Runs `body`, which opens, reads or writes the file of this path; `-` is standard output.
  ///
  /// - Parameter isTold: whether a wait has a word.
  package static func mayWait<Value, Failure>(
    for path: String, isTold: Bool = true, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let path = path == "-" ? "/dev/stdout" : path
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return try body() }
    let wait = waits.withLock { $0.begin() }
    let word = DispatchWorkItem {
      guard waits.withLock({ $0.lasts(wait, for: path) }), isTold else { return }
      whenWaiting.withLock { $0 }?(path)
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + patience, execute: word)
    defer {
      word.cancel()
      waits.withLock { $0.end(wait) }
    }
    return try body()
  }
}
