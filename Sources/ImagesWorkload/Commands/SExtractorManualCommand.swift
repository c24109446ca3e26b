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

  @Argument(
    help: "docs/sextractor-shares.tsv: how often each column agrees with SExtractor.",
    completion: .file())
  var shares: String

  func run() throws {
    do {
      let shares = try String(contentsOfFile: shares, encoding: .utf8)
      try StandardOutput.write(Data(SExtractorPages.manual(shares: shares).utf8))
    } catch {
      throw fail(error)
    }
  }
}
