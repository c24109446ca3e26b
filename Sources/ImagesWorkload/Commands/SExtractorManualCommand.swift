import ArgumentParser
import Foundation
import SkyCatalog
import SkyNetCommand

/// Prints `docs/sextractor.md`, which a test compares with the file.
struct SExtractorManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sextractor-manual",
    abstract: "Print docs/sextractor.md, made from the tables of keywords and columns.",
    shouldDisplay: false)

  func run() throws {
    do {
      try StandardOutput.write(Data(SExtractorPages.manual.utf8))
    } catch {
      throw fail(error)
    }
  }
}
