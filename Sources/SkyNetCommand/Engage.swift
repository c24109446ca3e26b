import ArgumentParser
import Logging
import SkyNetCluster

/// `skynet engage` for one workload: its options, and those of every run.
///
/// For the help where no workload is chosen, `Options` are only what chooses one, and the command never runs.
struct Engage<Options: ParsableArguments>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    .engage((Options.self as? any Workload.Type).map { [$0] } ?? Program.workloads.all)
  }

  @OptionGroup var workload: Options
  // Built for debugging, the parser checks a group's declarations four times for each group around it: these have none.
  @OptionGroup(title: "Systems") var systems: SystemOptions
  @OptionGroup(title: "Systems") var peers: PeerOptions
  @OptionGroup(title: "Systems") var security: SecurityOptions
  @OptionGroup(title: "Failures") var failures: FailureOptions
  @OptionGroup(title: "Results") var results: ResultOptions
  @OptionGroup(title: "Journal") var recording: JournalOptions
  @OptionGroup(title: "In a browser") var page: PageOptions
  @OptionGroup(title: "In a browser") var keeping: KeptPageOption
  @OptionGroup(title: "Metrics") var observing: MetricsOptions
  @OptionGroup var log: LogFormatOption
  /// Whether only what is wrong is printed, and not even the summary.
  var isSilent = false

  /// The options of every run.
  var options: RunOptions {
    let prints = (workload as? any Workload)?.printsResults ?? false
    return RunOptions(
      systems: systems, peers: peers, security: security, failures: failures, results: results,
      printsResults: prints && !results.sayWhere, recording: recording, page: page,
      keepsPage: keeping.webKeep, observing: observing, isSilent: isSilent)
  }

  func validate() throws {
    let options = options
    try options.check()
    guard let workload = workload as? any Workload else { return }
    try workload.check(beside: options)
    let written = options.writtenFiles + workload.writtenFiles
    try Check.areDistinct(written, from: workload.readFiles + options.readFiles)
    // The journal is the first of them.
    try Check.areDistinct(
      workload.readFiles + written.dropFirst(), fromSideFilesOf: recording.journal)
  }

  func run() async throws {
    do {
      try await perform()
    } catch let error as ValidationError {
      throw InvalidCommandLine(fault: error.message, command: Self.self)
    } catch  where !(error is ExitCode) {
      throw fail(error)
    }
  }

  /// Runs the workload, if there is one.
  ///
  /// - Throws: `ExitCode` if not everything was scanned; an error with the reason if the run was refused or failed.
  func perform() async throws {
    guard let workload = workload as? any Workload else { return }
    LoggingSystem.bootstrap(
      {
        ConsoleLog(
          label: $0, logLevel: .notice, metadataProvider: $1,
          showsTime: Console.standardError.showsTimes)
      }, metadataProvider: .skynet)
    log.apply()
    try DescriptorShortage.check(
      hasDiscovery: !peers.noDiscovery, hasJournal: recording.journal != nil)
    do {
      let options = options
      let work = try await workload.prepare(options)
      try await EngageRun(options, of: type(of: workload)).run(work)
    } catch let stopped as RunStopped {
      Console.standardError.flush()
      throw stopped.status
    }
  }
}

extension Workload {
  /// Runs the workload for a command of its own.
  ///
  /// - Parameters:
  ///   - options: options as `engage` takes them.
  ///   - isSilent: whether only what is wrong is printed.
  ///   - change: sets what the command has in place of options.
  /// - Throws: `ValidationError` if an option is wrong; otherwise as `engage`, but with the reason unprinted.
  package static func engage(
    _ options: [String], isSilent: Bool, _ change: (inout Self) -> Void
  ) async throws {
    var command: Engage<Self>
    do {
      try RepeatedOption.check(options, of: Engage<Self>.self)
      command = try Engage<Self>.parse(options)
      change(&command.workload)
      command.isSilent = isSilent
      try command.validate()
    } catch let error as RepeatedOption {
      throw ValidationError("\(error)")
    } catch {
      throw ValidationError(Engage<Self>.message(for: error))
    }
    try await command.perform()
  }

  /// The options of `engage` that take a value.
  package static var optionsWithValue: Set<String> {
    DeclaredOptions(of: Engage<Self>.self).withValue
  }
}
