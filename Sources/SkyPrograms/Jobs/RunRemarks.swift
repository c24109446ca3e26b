import SkyNetCore
import SkyProcess
import Synchronization

/// Tells what may make the results of a run's programs other than they are meant, each once for the run.
package final class RunRemarks: Sendable {
  private let toldOfAbsence = Atomic(false)
  private let toldOfProcesses = Atomic(false)
  /// How many files were left, and the name of one.
  private let left = Mutex((files: 0, example: String?.none))
  private let warn: @Sendable (String) -> Void

  init(_ warn: @escaping @Sendable (String) -> Void) { self.warn = warn }

  /// - Parameter input: the input as it was given.
  func add(_ remark: ProgramRemark, of input: String) {
    left.withLock { left in
      left.files = left.files &+ max(0, remark.leftFiles)
      left.example = left.example ?? remark.example
    }
    if let absence = remark.absence, !toldOfAbsence.exchange(true, ordering: .relaxed) {
      warn(
        "\(remark.system) runs the program in an empty folder of its own, and so may others: \(absence)"
      )
    }
    if remark.leftProcesses { leftProcesses(of: input) }
  }

  /// A program has left processes that had to be ended: something that it was to write may be missing.
  package func leftProcesses(of input: String) {
    guard !toldOfProcesses.exchange(true, ordering: .relaxed) else { return }
    warn(
      "the program of \(input.shortened(to: 200)) left processes running when it ended; they had a second to end, and "
        + "were ended then: what they were to write may be missing. Have it wait for them, such as by `wait` in a script"
    )
  }

  /// The run is over.
  ///
  /// - Parameter hasFolder: whether the run has a folder.
  func end(hasFolder: Bool) {
    let (files, example) = left.withLock { $0 }
    guard files > 0 else { return }
    let such = example.map { ", such as \($0.shortened(to: 200))," } ?? ""
    warn(
      "programs left \(files) file\(files == 1 ? "" : "s")\(such) in their empty folders, "
        + "and \(files == 1 ? "it is" : "they are") gone: "
        + (hasFolder
          ? "share the folder of the run with all systems, "
          : "leave --directory out, or give --directory PATH, to have programs run where files stay, ")
        + "or have them write to standard output, which --output keeps")
  }
}

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
