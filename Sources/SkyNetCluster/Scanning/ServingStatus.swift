/// What a system is doing, and for which clients.
public struct ServingStatus: Sendable {
  public struct Running: Sendable, Identifiable {
    let number: UInt64
    public let sector: Int
    /// The name of the client.
    public let client: String
    public let elapsed: Duration

    public var id: UInt64 { number }
  }

  public let slots: Int
  public internal(set) var running: [Running] = []
  /// How many tasks wait, by the name of the client.
  public internal(set) var waiting: [String: Int] = [:]
  /// How many scans ended, by the name of the client. Of many names only the latest are kept, and
  /// the others are one, `others`.
  public let done: [String: Int]
  /// How many of these threw.
  let failed: Int

  init(slots: Int, done: [String: Int], failed: Int) {
    self.slots = slots
    self.done = done
    self.failed = failed
  }
}
