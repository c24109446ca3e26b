import SkyNetCore
import Synchronization

/// Tells what may make the results of a run's programs other than they are meant, each once for the run.
package final class RunRemarks: Sendable {
  private struct State {
    var toldOfAbsence = false
    var toldOfProcesses = false
    var files = 0
    var example: String?
  }

  private let state = Mutex(State())
  private let warn: @Sendable (String) -> Void

  init(_ warn: @escaping @Sendable (String) -> Void) { self.warn = warn }

  /// - Parameter input: the input as it was given.
  func add(_ remark: ProgramRemark, of input: String) {
    let isAbsenceNew = state.withLock { state in
      state.files = state.files.addingReportingOverflow(max(0, remark.leftFiles)).partialValue
      if state.example == nil { state.example = remark.example }
      defer { if remark.absence != nil { state.toldOfAbsence = true } }
      return !state.toldOfAbsence
    }
    if isAbsenceNew, let absence = remark.absence {
      warn(
        "\(remark.system) runs the program in an empty folder of its own, and so may others: \(absence)"
      )
    }
    if remark.leftProcesses { leftProcesses(of: input) }
  }

  /// A program has left processes that had to be ended: something that it was to write may be missing.
  package func leftProcesses(of input: String) {
    let isNew = state.withLock { state in
      defer { state.toldOfProcesses = true }
      return !state.toldOfProcesses
    }
    guard isNew else { return }
    warn(
      "the program of \(input.shortened(to: 200)) left processes running when it ended; they had a second to end, and were ended then: what "
        + "they were to write may be missing. Have it wait for them, such as by `wait` in a script")
  }

  /// The run is over.
  ///
  /// - Parameter hasFolder: whether the run has a folder.
  func end(hasFolder: Bool) {
    let (files, example) = state.withLock { ($0.files, $0.example) }
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
