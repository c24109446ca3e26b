import ArgumentParser
import Foundation
import Logging
import SkyCatalog
import SkyNetCommand
import SkyNetCore
import SkyNetKit

/// SExtractor's own command line: its configuration, its catalogue, its exit status.
struct SexCommand: ReadsWords {
  static let configuration = CommandConfiguration(
    commandName: "sex", abstract: "Find the sources in an image, as SExtractor's command does.",
    usage: "skynet sex IMAGE [-c FILE] [-KEYWORD VALUE …] [--OPTION …]",
    discussion: """
      The configuration, the list of columns and the catalogue are SExtractor's, and so is the exit status: 0, or 1 \
      with what is wrong in a line `> *Error*: …`. A setting that would make another catalogue than SExtractor's is \
      refused by name, and so is a column of SExtractor's that does not exist here; keywords and columns that \
      SExtractor does not know either are left out, with a warning. A file of several images has one catalogue of all \
      of them. One that cannot be scanned is listed, and the others stand.

        -d, -dd   print a configuration with the defaults; -dd has all keywords
        -dp       print the columns that exist here
        -v        print the version

      The cores of this machine scan; nothing else is looked for, and no cluster key is needed. With options \
      of `skynet engage --image`, which have two dashes, the run is one of the cluster: `--peers`, `--journal`, `--web`, \
      `--slots` and others.
      """)

  @Argument(parsing: .captureForPassthrough, help: "SExtractor's words.")
  var words: [String] = []

  init() {}
  init(words: [String]) { self.words = words }

  func run() async throws {
    let console = Console.standardError
    console.begin(with: [.warning: "> WARNING: ", .error: "> *Error*: "])
    // A configuration that is not found would be passed over.
    if let fault = OddWord.fault(in: ["--"] + words, inputs: []) {
      console.line(fault, level: .error)
      console.flush()
      throw ExitCode(1)
    }
    // To list them takes longer than to read the words.
    lazy var optionsWithValue = Images.optionsWithValue
    let request = SexRequest(words) { optionsWithValue.contains($0) }
    do {
      switch request {
      case .syntax: console.line(Self.syntax)
      case .version: try StandardOutput.write(line: Self.version)
      case .defaults(let all):
        try StandardOutput.write(Data(SExtractorPages.defaults(all: all).utf8))
      case .columns: try StandardOutput.write(Data(SExtractorPages.columns.utf8))
      case .keywordWithTwoDashes(let keyword):
        throw ValidationError(
          "--\(keyword) has two dashes, and SExtractor's keywords have one: give -\(keyword) VALUE")
      case .run(let run): try await SexRun(run).perform()
      }
      console.flush()
    } catch let status as ExitCode {
      throw [.interrupted, .terminated].contains(status) ? status : ExitCode(1)
    } catch {
      let text = (error as? ValidationError)?.message ?? "\(error)"
      console.line(text, level: .error)
      console.flush()
      throw ExitCode(1)
    }
  }

  static let syntax =
    "> SYNTAX: skynet sex <image> [-c <configuration_file>] [-<keyword> <value>] [--<option> …]; "
    + "-d, -dd: a default configuration; -dp: the columns; skynet help sex: more"

  /// Programs look for a version of SExtractor's.
  static let version = "skynet sex \(SkyNetVersion.software), after SExtractor version 2.25.0"
}
