import Synchronization

/// The name of this process's program, as people type it, for messages that advise a command. A program that has the
/// commands under another name than `skynet` says so once, at its start.
package enum ProgramName {
  private static let name = Mutex("skynet")

  package static var text: String { name.withLock { $0 } }

  package static func become(_ name: String) { self.name.withLock { $0 = name } }
}
