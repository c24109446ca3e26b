import Foundation
import SkyCatalog
import SkyNetCommand
import SkyNetCore
import SkyScan

/// Writes the catalogue and the picture when a run ends. An incomplete run leaves existing files
/// unchanged, unless `--partial` asks for partial ones.
struct CatalogCompletion {
  let output: CatalogOutput
  let columns: [Column]
  let systems: SectorSystems
  /// Whether an incomplete run writes partial files.
  let writesPartial: Bool
  let journal: String?
  let console: Console

  /// Writes the files if every sector was scanned or partial files are wanted. Otherwise prints
  /// which files are unchanged, and how to continue.
  ///
  /// - Returns: a line for each file that was written.
  /// - Throws: `OutputFileError`; for a picture also `FITSError`.
  func finish(_ job: ImageJob, _ tally: Tally) async throws -> [String] {
    let coverage = Coverage(scanned: tally.completed, of: tally.total)
    guard coverage.isWhole || writesPartial else {
      leave(tally)
      return []
    }
    let written = try await output.write(
      job, columns: columns, systems: systems.bySector, coverage: coverage
    ).outputs.lines
    if !coverage.isWhole {
      console.line(PartialLine.written(coverage, output.places))
    }
    return written
  }

  /// Prints which files a run that was stopped or that failed left unchanged.
  ///
  /// - Parameter wasStopped: whether signals stopped the run. If not, its error says what to do.
  func leave(_ wasStopped: Bool) {
    console.line(
      wasStopped
        ? PartialLine.left(states, nil, journal: journal, isPartialWanted: writesPartial)
        : PartialLine.left(states))
  }

  private func leave(_ tally: Tally) {
    console.line(PartialLine.left(states, tally, journal: journal, isPartialWanted: writesPartial))
  }

  /// The files' paths, and whether they exist.
  private var states: [(path: String?, isThere: Bool)] {
    output.places.map { place in
      (place.path, place.path.map(FileManager.default.fileExists) ?? false)
    }
  }
}
