import ArgumentParser
import Foundation
import Logging
import SkyFiles
import SkyNetCore
import SkyNetJournal

/// `skynet replay`, with the options that its workloads take.
struct ReplayCommand<Options: ReplayOptions>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "replay", abstract: "Run one sector of a recorded run again, here and alone.",
      discussion: """
        The sector gets the settings and the data of the run, in the pass in which it failed, and shows \
        what its scan throws, or what it finds. The journal may be in use; it is not changed. With --save, the \
        settings and data go to a file, which `\(Program.name) replay FILE` runs on any machine, without the journal \
        and the files that the run read.

        Exit status: 0 the scan succeeded; 1 it threw, or its result is not the one that the run recorded; 2 it \
        could not be run.
        """)
  }

  @Argument(help: "The journal of the run, or a file that --save wrote.", completion: .file())
  var file: String

  @Option(parsing: .unconditional, help: "The number of the sector, from 0.")
  var sector: Int?

  @Option(
    parsing: .unconditional,
    help: "The pass. (default: the last one in which the sector failed, or else its last one)")
  var pass: Int?

  @Option(
    parsing: .unconditional,
    help: """
      Which attempt at the sector the scan is told that it is, from 1; some scans depend on it. (default: the last one that failed)
      """)
  var attempt: Int?

  @Option(
    help: ArgumentHelp(
      "Write the sector's settings and data to this file before the scan.", valueName: "file"),
    completion: .file())
  var save: String?

  @Flag(help: "Print a JSON object, with all that the scan found.")
  var json = false

  @OptionGroup var options: Options

  func validate() throws {
    try Check.range("sector", sector, 0...Int.max)
    try Check.range("pass", pass, 0...Int.max)
    try Check.range("attempt", attempt, 1...Int.max)
    try Check.areDistinct(
      [("save", save)],
      from: [("journal", file)] + options.readFiles)
    try Check.areDistinct([("save", save)], fromSideFilesOf: file)
    if let save, LinkEnd(output: save) == .descriptor(STDOUT_FILENO) {
      throw ValidationError(
        "--save and what the scan finds would both go to standard output: give --save a file's name"
      )
    }
  }

  func run() async throws {
    ConsoleLog.begin(from: .info)
    let succeeded: Bool
    do {
      let place = try save.map { try OutputFile(path: $0) }
      let replay = try await replay()
      if let place {
        try place.write(try ReplayFile.contents(of: replay))
        Console.standardError.line("saved to \(place.path)")
      }
      if !json { try StandardOutput.write(ReplayText.head(replay).shown) }
      let outcome = try await replay.run()
      try StandardOutput.write(
        json ? try ReplayText.json(replay, outcome) : try ReplayText.text(outcome).shown)
      succeeded = outcome.isSuccess
    } catch {
      throw fail(error)
    }
    Console.standardError.flush()
    if !succeeded { throw ExitCode.replayDiffers }
  }

  private func replay() async throws -> Replay {
    if try ReplayFile.isOne(file) {
      let numbers = [("--sector", sector), ("--pass", pass), ("--attempt", attempt)]
      let given = numbers.filter { $0.1 != nil }.map(\.0) + options.given
      guard given.isEmpty else { throw ReplayError.saved(file, options: given) }
      return try ReplayFile.read(file)
    }
    guard let sector else { throw ReplayError.noSector(file) }
    return try await ReplaySource(
      journal: file, sector: sector, pass: pass, attempt: attempt, options: options
    ).replay()
  }
}
