/// What a system is doing, and for whom.
public struct ServingStatus: Sendable {
  public struct Running: Sendable, Identifiable {
    let number: UInt64
    public let sector: Int
    /// The name of the one it works for.
    public let client: String
    public let elapsed: Duration

    public var id: UInt64 { number }
  }

  public let slots: Int
  public internal(set) var running: [Running] = []
  /// How many tasks wait, by the name of who sent them.
  public internal(set) var waiting: [String: Int] = [:]
  /// How many scans ended, by the name of who wanted them. Of many names only the latest are kept, and
  /// the others are one, `others`.
  public let done: [String: Int]

  init(slots: Int, done: [String: Int]) {
    self.slots = slots
    self.done = done
  }
}
