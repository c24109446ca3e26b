import Foundation
import SkyCatalog
import SkyNetCore
import SkyScan

/// What becomes of the catalogue and the picture when a run ends: they are made whole, and so of a
/// whole run only, unless parts were asked for. What was there before is not given for a part.
struct CatalogEnding {
  let output: CatalogOutput
  let columns: [Column]
  let systems: SectorSystems
  /// Whether a part is written too.
  let writesPart: Bool
  let journal: String?
  let console: Console

  /// Writes them if everything was scanned, or if a part is wanted; else says what was left as it
  /// was, and how to go on.
  ///
  /// - Throws: `OutputFileError`; for a picture `FITSError` too.
  func finish(_ job: ImageJob, _ tally: Tally) async throws {
    let coverage = Coverage(scanned: tally.completed, of: tally.total)
    guard coverage.isWhole || writesPart else { return leave(tally) }
    try await output.write(
      job, columns: columns, systems: systems.bySector, coverage: coverage)
    if !coverage.isWhole {
      console.line(PartLine.written(coverage, output.places))
    }
  }

  /// Says what a run that was broken off left as it was.
  ///
  /// - Parameter wasStopped: whether it was stopped by signals. If not, its error says what to do.
  func leave(_ wasStopped: Bool) {
    console.line(
      wasStopped
        ? PartLine.left(states, nil, journal: journal, isPartWanted: writesPart)
        : PartLine.left(states))
  }

  private func leave(_ tally: Tally) {
    console.line(PartLine.left(states, tally, journal: journal, isPartWanted: writesPart))
  }

  /// Where the files are, and whether there is something.
  private var states: [(path: String?, isThere: Bool)] {
    output.places.map { place in
      (place.path, place.path.map(FileManager.default.fileExists) ?? false)
    }
  }
}
