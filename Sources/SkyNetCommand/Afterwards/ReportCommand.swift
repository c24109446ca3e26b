import ArgumentParser
import Foundation
import SkyFiles
import SkyNetCore
import SkyNetJournal
import SkyNetReport
import SkyNetViews
import SkyNetWeb

struct ReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Make a page of a run from its journal: any moment, any failure.",
    discussion: """
      The page is one file that needs no network: what was scanned, the systems and the time line, with a slider \
      over the whole run, and what was slow and why. The journal may be that of a run that was killed, or \
      be in use; it is not changed. A summary goes to standard error.
      """)

  @Argument(help: "The journal, the file that was given as --journal.", completion: .file())
  var file: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file for the page, complete or not at all; - is standard output, the default.",
      valueName: "page.html"), completion: .file())
  var output: String?

  @Flag(help: "Replace the file of --output, if it is there.")
  var overwrite = false

  func validate() throws {
    try Check.areDistinct([("output", output)], from: [("journal", file)])
    try Check.areDistinct([("output", output)], fromSideFilesOf: file)
    if output == "" { throw ValidationError("--output is empty, but a file's name is needed") }
    if overwrite, output == nil {
      throw ValidationError("--overwrite is about a file: give -o page.html too")
    }
  }

  func run() async throws {
    ConsoleLog.begin()
    do {
      if output ?? "-" == "-", StandardOutput.isTerminal {
        throw ReportError.terminal
      }
      if let output, !overwrite, FileManager.default.fileExists(atPath: output),
        !FileIdentity.isStream(output)
      {
        throw ReportError.exists(output)
      }
      let place = try output.map { try OutputFile(path: $0) }
      let (report, page) = try await RunReportPage.make(of: file)
      if let place { try place.write(page) } else { try StandardOutput.write(page) }
      for line in report.lines { Console.standardError.line(line) }
      Console.standardError.flush()
    } catch {
      throw fail(error)
    }
  }
}

enum ReportError: Error, CustomStringConvertible {
  case terminal
  case exists(String)

  var description: String {
    switch self {
    case .terminal:
      "a page would fill the terminal: name a file with -o page.html, or send standard output to one"
    case .exists(let path):
      "\(path) is there already and was left as it is: give --overwrite to replace it, or another name"
    }
  }
}
