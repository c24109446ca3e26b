import Foundation
import SkyScan
import Testing

/// An image that is written over while engagements scan it: by turns it has one sky and another one.
struct NemesisSky {
  private static let side = 1024

  let path: String
  private let stage: Stage
  /// The files with the two skies, and the catalogues of undisturbed runs.
  private let skies: [(file: String, catalog: Data)]

  init(on stage: Stage) async throws {
    self.stage = stage
    path = stage.file("sky.fits")
    var skies: [(String, Data)] = []
    for seed in 1...2 {
      let (file, catalog) = (stage.file("sky-\(seed).fits"), stage.file("sky-\(seed).csv"))
      try await SyntheticSky(
        width: Self.side, height: Self.side, starCount: 200, seed: UInt64(seed)
      ).write(to: file)
      let run = try await stage.engage("--image", file, "--catalog", catalog).outcome()
      try #require(run.status == 0, "\(run.errors)")
      skies.append((file, try Data(contentsOf: URL(fileURLWithPath: catalog))))
    }
    self.skies = skies
    try FileManager.default.copyItem(atPath: skies[0].0, toPath: path)
  }

  func catalog(_ number: Int) -> String { stage.file("catalog-\(number).csv") }

  /// The options of a scan of the image, in place of those of simulated sectors.
  func options(_ number: Int) -> [String] {
    ["--image", path, "--sector-size", "64", "--catalog", catalog(number)]
  }

  /// Writes the other sky over the image for some time, and puts the modification time back.
  func rewrite(for time: Duration) async throws {
    try WrittenOver.overwrite(path, with: skies[1].file, keepsTime: true)
    try await Endurance.pass(time)
    try WrittenOver.overwrite(path, with: skies[0].file, keepsTime: true)
  }

  /// What is wrong with the end of an engagement: it must have the catalogue of one sky, or none and a word.
  func discrepancies(of outcome: Outcome, _ number: Int) -> [String] {
    let catalog = FileManager.default.contents(atPath: catalog(number))
    switch outcome.status {
    case 0:
      return skies.contains { $0.catalog == catalog } ? [] : ["its catalogue is that of no sky"]
    case 2 where outcome.errors.last?.contains("was changed while it was in use") == true:
      return catalog == nil ? [] : ["it has a catalogue, and says that the image was changed"]
    default:
      return ["it ended with status \(outcome.status ?? -1): \(outcome.errors.last ?? "")"]
    }
  }
}
