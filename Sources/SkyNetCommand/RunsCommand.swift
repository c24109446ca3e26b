import ArgumentParser
import Foundation
import SkyNetJournal

struct RunsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "runs", abstract: "Show the run that a journal holds.",
    discussion: """
      It shows the job, its progress, the systems that scanned, and the failed sectors with their \
      reasons. The journal may be in use; it is not changed.
      """)

  @Argument(help: "The journal, the file that was given as --journal.", completion: .file())
  var file: String

  @Flag(help: "Print a JSON object, with every failure.")
  var json = false

  func run() async throws {
    ConsoleLog.begin()
    do {
      // The read blocks this thread; the command has no other work meanwhile.
      let overview = try Overview.read(file, failures: json ? .max : OverviewText.listedFailures)
      let words = Program.workloads.words(of: overview.setup)
      try StandardOutput.write(
        json
          ? try OverviewJSON.text(overview, words)
          : OverviewText(words: words).text(overview).shown)
    } catch {
      throw fail(error)
    }
  }
}
