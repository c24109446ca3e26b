import ArgumentParser
import Foundation
import SkyFITS
import SkyNetCommand
import SkyNetKeys

struct ReaderCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reader-check",
    abstract: "Check that the process that reads images is confined.",
    discussion: """
      The process tries to read the cluster key, to write a file, to make and use sockets, to start and \
      to trace processes. Exit status: 0 every attempt was refused; 1 one succeeded; 2 the check could \
      not run.

      With files, it reads these instead, all images of each, as a run of many images would, and says \
      what came of each. Exit status: 0 all were read; 1 some were not.
      """,
    shouldDisplay: false)

  @OptionGroup var keyFile: KeyFileOption

  @Argument(help: "Files to read.", completion: .file())
  var files: [String] = []

  @Option(help: "How often to read them.")
  var rounds = 1

  func run() async throws {
    guard files.isEmpty else { return try await ImageCheck(files: files, rounds: rounds).run() }
    let trials: [(operation: String, error: CInt)]
    do {
      let key = try keyFile.source()
      trials = try ImageReader.process().probeSandbox(file: key.file?.path ?? "/etc/passwd")
      for (operation, error) in trials {
        let words = error == 0 ? "could" : "could not (\(String(cString: strerror(error))))"
        try StandardOutput.write(line: "\(operation): \(words)")
      }
    } catch {
      throw fail(error)
    }
    if trials.contains(where: { $0.error == 0 }) { throw ExitCode(1) }
  }
}
