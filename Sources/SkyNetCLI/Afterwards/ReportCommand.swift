import ArgumentParser
import Foundation
import SkyCatalog
import SkyDetection
import SkyNetCore
import SkyNetJournal
import SkyNetReport
import SkyNetViews
import SkyNetWeb
import SkyScan

struct ReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Make a page of a run from its journal: any moment, any failure.",
    discussion: """
      The page is one file that needs no network: the sky, the systems and the time line, with a slider \
      over the whole run, and what was slow and why. The journal may be that of a run that was killed, or \
      be in use; it is not changed. A summary goes to standard error.
      """)

  @Argument(help: "The journal, the file that was given as --journal.", completion: .file())
  var file: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file for the page, complete or not at all. (default: standard output)",
      valueName: "page.html"), completion: .file())
  var output: String?

  func validate() throws {
    try Check.areDistinct([("output", output)], from: [("journal", file)])
    try Check.areDistinct([("output", output)], fromSideFilesOf: file)
    if output == "" { throw ValidationError("--output is empty, but a file's name is needed") }
  }

  func run() async throws {
    do {
      if output == nil, isatty(StandardOutput.descriptor) != 0 {
        throw ReportError.terminal
      }
      let place = try output.map { try OutputFile(path: $0) }
      // The read blocks this thread; the command has no other work meanwhile.
      var scanned: (setup: RunSetup, job: JobIdentity)?
      var report = try RunReport.read(file, named: file) { history in
        var scene = RunReport.Scene(words: .images)
        // Many images do not go together in one picture.
        guard !history.isGrowing, let setup = history.setup else { return scene }
        scanned = (setup, history.job)
        scene.grid = Self.grid(of: setup)
        scene.points = try Self.sources(of: setup, in: history)
        return scene
      }
      if let scanned {
        report.scene.picture = await ReportPicture.make(for: scanned.setup, of: scanned.job)
      }
      let page = try ReportPage { PageFile.named($0)?.text }.html(with: report.json)
      if let place { try place.write(page) } else { try StandardOutput.write(page) }
      for line in report.lines { Console.standardError.line(line) }
      Console.standardError.flush()
    } catch {
      throw fail(error)
    }
  }

  /// The brightest sources that sectors of an image have found.
  private static func sources(
    of setup: RunSetup, in history: RunHistory
  ) throws -> [RunReport.Point] {
    guard setup.kind == SourceScan.kind else { return [] }
    var found: [RunReport.Point] = []
    func keepBrightest() {
      found.sort { $0.strength > $1.strength }
      found.removeSubrange(min(found.count, RunReport.pointLimit)...)
    }
    // The last pass only measures sources again.
    try history.forEachOutput(of: SourceScan.Findings.self, before: 3) { _, findings, ended in
      guard case .sources(let list, _, _) = findings.found else { return }
      for source in list.sources
      where source.x.isFinite && source.y.isFinite && source.flux.isFinite {
        found.append(.init(x: source.x, y: source.y, strength: source.flux, at: ended))
      }
      if found.count > 4 * RunReport.pointLimit { keepBrightest() }
    }
    keepBrightest()
    return found
  }

  /// How an image was cut into sectors; `nil` if the run was of no image.
  private static func grid(of setup: RunSetup) -> PictureGrid? {
    guard setup.kind == SourceScan.kind,
      let settings = try? JSONDecoder().decode(
        SourceScan.Settings.self, from: Data(setup.settings.utf8)),
      (try? settings.check()) != nil
    else { return nil }
    return PictureGrid(settings.grid)
  }
}

enum ReportError: Error, CustomStringConvertible {
  case terminal

  var description: String {
    switch self {
    case .terminal:
      "a page would fill the terminal: name a file with -o page.html, or send standard output to one"
    }
  }
}
