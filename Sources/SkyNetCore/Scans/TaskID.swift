/// The identity of a task: its pass and its sector, both numbered from 0.
public struct TaskID: Hashable, Sendable, Codable {
  /// The pass, from 0.
  public let pass: Int
  /// The sector's number in the job, from 0.
  public let sector: Int

  /// Makes the identity of a sector's task, by default that in the first pass.
  public init(pass: Int = 0, sector: Int) {
    self.pass = pass
    self.sector = sector
  }
}

extension TaskID: Comparable {
  /// Orders tasks by pass, then by sector.
  public static func < (a: TaskID, b: TaskID) -> Bool {
    (a.pass, a.sector) < (b.pass, b.sector)
  }
}
