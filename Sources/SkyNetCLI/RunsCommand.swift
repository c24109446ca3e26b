import ArgumentParser
import Foundation
import SkyNetJournal

struct RunsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "runs", abstract: "Show what a journal holds.",
    discussion: """
      The job, how far it is, which systems did it, and what failed and why. The journal may be in use; it \
      is not changed.
      """)

  @Argument(help: "The file that was given as --journal.")
  var file: String

  @Flag(help: "Print it as a JSON object, with every failure.")
  var json = false

  func run() async throws {
    do {
      // It blocks, and there is nothing beside it to go on.
      let overview = try Overview.read(file, failures: json ? .max : OverviewText.most)
      try StandardOutput.write(
        json ? try OverviewJSON.text(overview) : OverviewText.text(overview))
    } catch {
      throw fail(error)
    }
  }
}
