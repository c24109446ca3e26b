package import SkyNetCore

/// The scans that a system runs, and how many tasks wait or are done, by client.
package struct ServingStatus: Sendable {
  package struct Running: Sendable, Identifiable {
    let number: UInt64
    package let task: TaskID
    package let run: RunID
    /// The name of the client.
    package let client: String
    package let elapsed: Duration

    package var id: UInt64 { number }
  }

  package let slots: Int
  package internal(set) var running: [Running] = []
  /// How many tasks wait for a slot, by the name of the client.
  package internal(set) var waiting: [String: Int] = [:]
  /// How many scans have ended with a result, by the name of the client. If there are many names, only the latest
  /// ones are kept, and all others count as `others`.
  package let done: [String: Int]
  /// How many scans threw an error. Their clients try them again, as a rule.
  package let retried: Int
  /// Why the system takes no new tasks; `nil` while it takes them.
  package internal(set) var drainReason: DrainReason?
}
