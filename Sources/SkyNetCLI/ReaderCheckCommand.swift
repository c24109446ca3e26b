import ArgumentParser
import Foundation
import SkyFITS
import SkyNetKeys

struct ReaderCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reader-check",
    abstract: "Have the process that reads images try what it must not be able to do.",
    discussion: """
      It tries to read the cluster key, to write a file, to make and use sockets, to start and to trace \
      processes. Exit status: 0 nothing could be done; 1 something could; 2 it could not be tried.
      """,
    shouldDisplay: false)

  @OptionGroup var keyFile: KeyFileOption

  func run() throws {
    let trials: [(deed: String, error: CInt)]
    do {
      let key = try keyFile.source()
      trials = try ImageReader.process().tryForbidden(file: key.file?.path ?? "/etc/passwd")
    } catch {
      throw fail(error)
    }
    for (deed, error) in trials {
      let words = error == 0 ? "could" : "could not (\(String(cString: strerror(error))))"
      print("\(deed): \(words)")
    }
    if trials.contains(where: { $0.error == 0 }) { throw ExitCode(1) }
  }
}
