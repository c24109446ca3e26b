import ArgumentParser
import Logging

/// `skynet engage` for one workload: its options, and those of every run.
struct Engage<W: Workload>: AsyncParsableCommand {
  static var configuration: CommandConfiguration { .engage([W.self]) }

  @OptionGroup var workload: W
  @OptionGroup var options: RunOptions

  func validate() throws {
    try workload.check(beside: options)
    let written = options.writtenFiles + workload.writtenFiles
    try Check.areDistinct(written, from: workload.readFiles + options.readFiles)
    // The journal is the first of them.
    try Check.areDistinct(
      workload.readFiles + written.dropFirst(), fromSideFilesOf: options.recording.journal)
  }

  func run() async throws {
    LoggingSystem.bootstrap {
      ConsoleLog(label: $0, logLevel: .notice, showsTime: Console.standardError.showsTimes)
    }
    options.log.apply()
    try DescriptorShortage.check(
      hasDiscovery: !options.peers.noDiscovery,
      hasJournal: options.recording.journal != nil)
    do {
      let work = try await workload.prepare(options)
      try await EngageRun(options, of: W.self).run(work)
    } catch let stopped as RunStopped {
      Console.standardError.flush()
      throw stopped.status
    } catch  where !(error is ExitCode || error is InvalidCommandLine) {
      throw fail(error)
    }
  }
}
