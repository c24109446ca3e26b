import SkyCatalog
import SkyFiles
import SkyNetCommand
import SkyNetCore
import SkyScan

/// What became of one image of a night.
struct NightRow: Sendable {
  let image: String
  /// The image's position in the night.
  var position = 0
  /// The image's number among those of its file, from 1, and their number, if an output has all of them.
  var placeInFile: (number: Int, count: Int)?
  let sectors: Int
  /// The number of sources in the catalogue; `nil` if none was written.
  var sources: Int?
  /// The number of sources of each sector.
  var counts: [Int]?
  var seconds: Double?
  /// How many sectors each system scanned.
  var systems: [String: Int]
  var failed: Int
  /// Why the image has no complete catalogue; `nil` if it has.
  var reason: String?
  /// The files that were written for it.
  var outputs: [WrittenFile]?
  /// Whether a later process may still scan the image, so that its end is not recorded.
  var isOpen = false
  /// Whether an earlier process finished the image.
  var isPast = false

  init(_ part: JobPart, _ share: NightSystems.Share) {
    image = part.name
    sectors = part.sectors.count
    seconds = share.seconds
    systems = share.bySector.values.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    failed = share.failed
  }

  /// A file was changed while the image was scanned, which a later process finds, too.
  ///
  /// - Parameter image: the path of the image's file; `nil` if the change is named.
  mutating func take(_ change: ChangedFile, of image: String?) {
    reason =
      (ExactText(change.path) == image.map { ExactText($0) } ? "it" : change.path)
      + " was changed while it was scanned; the same command scans it again"
    isOpen = true
  }

  /// Takes what an earlier process recorded.
  mutating func take(_ outcome: NightOutcome) {
    isPast = true
    sources = outcome.sources
    counts = outcome.counts
    seconds = outcome.seconds
    systems = outcome.systems ?? systems
    reason = outcome.state == .failed ? outcome.reason ?? "failed" : nil
  }

  var outcome: NightOutcome {
    var outcome = NightOutcome(state: reason == nil ? .done : .failed)
    outcome.sources = sources
    outcome.counts = counts
    outcome.seconds = seconds
    outcome.systems = systems.isEmpty ? nil : systems
    outcome.reason = reason
    outcome.outputs = outputs
    return outcome
  }
}

extension NightSummary.Row {
  init(_ row: NightRow) {
    self.init(
      image: row.image, state: row.reason == nil ? .done : .failed, sources: row.sources,
      seconds: row.seconds, systems: row.systems, sectors: row.sectors, failed: row.failed,
      reason: row.reason)
  }
}
