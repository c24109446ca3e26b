/// The identity of a task: its pass and its sector, both numbered from 0.
public struct TaskID: Hashable, Sendable, Codable {
  public let pass: Int
  public let sector: Int

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
