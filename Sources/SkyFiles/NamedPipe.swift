import Dispatch
import Foundation
package import Synchronization

/// Named pipes in place of files: opening one waits for the program at its other end, and so may reading and writing.
package enum NamedPipe {
  /// Is called with a pipe's path once this process has waited for the other end for a second.
  package static let whenWaiting = Mutex<(@Sendable (_ path: String) -> Void)?>(nil)

  private static let patience = DispatchTimeInterval.seconds(1)

  /// Runs `body`, which opens, reads or writes the file of this path.
  package static func mayWait<Value, Failure>(
    for path: String, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return try body() }
    let word = DispatchWorkItem { whenWaiting.withLock { $0 }?(path) }
    DispatchQueue.global().asyncAfter(deadline: .now() + patience, execute: word)
    defer { word.cancel() }
    return try body()
  }
}
