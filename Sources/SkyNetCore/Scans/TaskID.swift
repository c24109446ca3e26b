/// What a task is known by: the pass it belongs to, and its sector's number, both from 0.
public struct TaskID: Hashable, Sendable, Codable {
  public let pass: Int
  public let sector: Int

  public init(pass: Int = 0, sector: Int) {
    self.pass = pass
    self.sector = sector
  }
}

/// Tasks that a job adds at once: one pass over a run of sectors.
public struct TaskRange: Hashable, Sendable {
  public let pass: Int
  public let sectors: Range<Int>

  public init(pass: Int = 0, sectors: Range<Int>) {
    self.pass = pass
    self.sectors = sectors
  }
}
