/// What a system is doing, and for which clients.
package struct ServingStatus: Sendable {
  package struct Running: Sendable, Identifiable {
    let number: UInt64
    package let sector: Int
    /// The name of the client.
    package let client: String
    package let elapsed: Duration

    package var id: UInt64 { number }
  }

  package let slots: Int
  package internal(set) var running: [Running] = []
  /// How many tasks wait, by the name of the client.
  package internal(set) var waiting: [String: Int] = [:]
  /// How many scans ended, by the name of the client. Of many names only the latest are kept, and
  /// the others are one, `others`.
  package let done: [String: Int]
  /// How many of these threw.
  let failed: Int

  init(slots: Int, done: [String: Int], failed: Int) {
    self.slots = slots
    self.done = done
    self.failed = failed
  }
}
