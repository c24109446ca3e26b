import ArgumentParser
import SkyNetCore
import SkyNetJournal
import SkyNetReport

/// Something that `skynet engage` can have scanned: its options, and what the rest of the command needs to know of it.
///
/// The value has the workload's options on a command line. `skynet engage` takes them beside those of every run, and
/// refuses the options of other workloads.
protocol Workload: ParsableArguments {
  /// The options that choose the workload, which the help of `skynet engage` shows for all workloads.
  associatedtype Choice: ParsableArguments
  /// What a node takes and offers for the workload.
  associatedtype Offering: NodeOffering

  /// What `skynet replay` takes for the workload.
  associatedtype Replaying: ReplayOptions

  /// The name under which a journal records a run.
  static var name: String { get }
  /// What the parts of a run are called, and the points of its picture.
  static var words: RunWords { get }
  /// The names of the options in ``Choice``, with dashes. Read at each start, where reading declarations takes long.
  static var choosers: [String] { get }
  /// A chooser with its placeholder, as in `--image FILE`.
  static var invitation: String { get }
  /// What the options are for, as in "simulated scans".
  static var purpose: String { get }
  /// Paragraphs for the help of `skynet engage`.
  static var discussion: String? { get }
  /// Command lines for the help.
  static var examples: [String] { get }
  /// The scans of the workload, as this process offers them to itself.
  static var scans: [any Scan] { get }
  /// Commands of its own.
  static var commands: [any ParsableCommand.Type] { get }

  /// Does what has to come before the process has a second thread: the command line is not parsed yet.
  static func begin(_ arguments: [String])

  /// The files that are read, with the options that name them.
  var readFiles: [Check.File] { get }
  /// The files that are written, with the options that name them.
  var writtenFiles: [Check.File] { get }

  /// Checks options that do not go together with those of the run.
  ///
  /// - Throws: `ValidationError`.
  func check(beside options: RunOptions) throws

  /// Opens what a run reads, and checks that the run can be. Nothing that an earlier run has written is replaced yet.
  ///
  /// - Throws: an error with the reason if it cannot.
  func prepare(_ options: RunOptions) async throws -> any WorkloadRun

  /// What the report of a run shows besides the systems and their tasks.
  ///
  /// - Throws: `JournalError`.
  static func scene(of run: RunHistory, _ setup: RunSetup) throws -> RunReport.Scene
  /// The picture behind a report's sectors; `nil` if there is none.
  ///
  /// - Parameter job: the facts that determined the run's results.
  static func picture(of setup: RunSetup, _ job: JobIdentity) async -> RunReport.Picture?
}

extension Workload {
  static var words: RunWords { RunWords() }
  static var discussion: String? { nil }
  static var examples: [String] { [] }
  static var commands: [any ParsableCommand.Type] { [] }

  static func begin(_ arguments: [String]) {}

  var readFiles: [Check.File] { [] }
  var writtenFiles: [Check.File] { [] }

  func check(beside options: RunOptions) throws {}

  static func scene(of run: RunHistory, _ setup: RunSetup) throws -> RunReport.Scene {
    RunReport.Scene(words: words)
  }
  static func picture(of setup: RunSetup, _ job: JobIdentity) async -> RunReport.Picture? { nil }
}
