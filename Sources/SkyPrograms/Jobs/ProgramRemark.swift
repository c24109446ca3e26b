import SkyProcess

/// What may make the result of a program other than it is meant.
package struct ProgramRemark: Codable, Hashable, Sendable {
  /// The system, as its process knows it.
  package var system: String
  /// Why the program ran in an empty folder, where the run has another one.
  package var absence: String?
  /// Whether the program left processes that had to be ended.
  package var leftProcesses: Bool
  /// How many files the program left in an empty folder, and the name of one.
  package var leftFiles: Int
  package var example: String?

  /// - Returns: `nil` if there is nothing to be said.
  init?(_ left: ProgramLeavings, absence: String?, system: String?) {
    guard absence != nil || left != ProgramLeavings() else { return nil }
    (self.system, self.absence) = (system ?? "", absence)
    (leftProcesses, leftFiles, example) = (left.processes, left.files, left.example)
  }
}
