public import ArgumentParser
public import SkyNetCore
package import SkyNetJournal
package import SkyNetReport

/// Something that `engage` can have scanned: its options, and what the rest of the command needs to know of it.
///
/// The value has the workload's options on a command line. `engage` takes them beside those of every run, and refuses
/// the options of other workloads. An option is known by its property's name, with dashes between the words: give it no
/// other, nor one that a general option has (which the parser's check in debug builds finds). Two workloads may have an
/// option of the same name; if it is all of a group in one of them, the description of the command has it once.
///
/// What has to be given is ``name``, ``scans`` and ``prepare(_:)``. A run is replayed with ``job(of:)``.
public protocol Workload: ParsableArguments {
  /// The options that choose the workload, which the help of `engage` shows for all workloads. By default all of its
  /// options do.
  associatedtype Choice: ParsableArguments = Self
  /// What a node takes and offers for the workload. By default it takes no options, and offers ``scans``.
  associatedtype Offering: NodeOffering = PlainOffering<Self>
  /// What `replay` takes for the workload. By default it takes no options, and asks ``job(of:)``.
  associatedtype Replaying: ReplayOptions = PlainReplay<Self>

  /// The name under which a journal records a run, and finds the workload again for `replay` and `report`: in small
  /// letters. A program that changes it loses its earlier runs.
  static var name: String { get }
  /// What the parts of a run are called, and the points of its picture.
  static var words: RunWords { get }
  /// The names of the options in ``Choice``, with dashes. By default the declarations are read, which takes a while at
  /// each start.
  static var choosers: [String] { get }
  /// Whether `--` on the command line chooses the workload too. The words behind it are then an argument of its, with
  /// the parsing strategy `postTerminator`. By default it does not.
  static var takesWords: Bool { get }
  /// A chooser with its placeholder, as in `--image FILE`.
  static var invitation: String { get }
  /// What the options are for, as in "simulated scans".
  static var purpose: String { get }
  /// Paragraphs for the help of `engage`.
  static var discussion: String? { get }
  /// Command lines for the help.
  static var examples: [String] { get }
  /// What to type in place of a word that people know from other programs; `nil` if it is none. Asked about words of a
  /// command line that the parser has refused. By default there are none.
  static func instead(of word: String) -> String?
  /// The scans of the workload, as this process offers them to itself.
  static var scans: [any Scan] { get }
  /// Commands of its own.
  static var commands: [any ParsableCommand.Type] { get }

  /// Does what has to come before the process has a second thread: the command line is not parsed yet.
  static func begin(_ arguments: [String])

  /// The files that are read, with the options that name them.
  var readFiles: [FileOption] { get }
  /// The files that are written, with the options that name them.
  var writtenFiles: [FileOption] { get }

  /// Whether results are printed on standard output, one after the other and texts as they are, unless `--results` or
  /// `--json` says where they go. By default they are not.
  var printsResults: Bool { get }

  /// Checks options that do not go together with those of the run.
  ///
  /// - Throws: `ValidationError`.
  func check(beside options: RunOptions) throws

  /// Opens what a run reads, and checks that the run can be. Nothing that an earlier run has written is replaced yet.
  ///
  /// - Throws: an error with the reason if it cannot; `ValidationError` if the command line is wrong.
  func prepare(_ options: RunOptions) async throws -> any WorkloadRun

  /// The job of a recorded run, as it was before any output, to run one of its tasks again. By default there is none
  /// (`nil`).
  ///
  /// - Throws: an error with the reason if the job cannot be made.
  static func job(of task: RecordedTask) throws -> (any Job)?
}

extension Workload {
  public static var choosers: [String] { DeclaredOptions(of: Choice.self).names.sorted() }
  public static var takesWords: Bool { false }
  public static var invitation: String { choosers.first ?? "" }
  public static var purpose: String { name }
  public static var words: RunWords { RunWords() }
  public static var discussion: String? { nil }
  public static var examples: [String] { [] }
  public static var commands: [any ParsableCommand.Type] { [] }

  public static func instead(of word: String) -> String? { nil }

  public static func begin(_ arguments: [String]) {}

  public var readFiles: [FileOption] { [] }
  public var writtenFiles: [FileOption] { [] }
  public var printsResults: Bool { false }

  public func check(beside options: RunOptions) throws {}

  public static func job(of task: RecordedTask) throws -> (any Job)? { nil }
}

/// A workload whose reports show more than the systems and their tasks.
package protocol ShownWorkload: Workload {
  /// What the report of a run shows of it.
  ///
  /// - Throws: `JournalError`.
  static func scene(of run: RunHistory, _ setup: RunSetup) throws -> RunReport.Scene
  /// The picture behind a report's sectors; `nil` if there is none.
  ///
  /// - Parameter job: the facts that determined the run's results.
  static func picture(of setup: RunSetup, _ job: JobIdentity) async -> RunReport.Picture?
}
