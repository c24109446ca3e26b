import Foundation
import SkyCatalog
package import SkyFiles

/// How an image of a night ended, as a journal keeps it: once its outputs are written, or once it has failed.
package struct NightOutcome: Codable, Hashable, Sendable {
  package enum State: String, Codable, Sendable {
    case done, failed
  }

  package var state: State
  /// The number of sources in the catalogue.
  package var sources: Int?
  /// The number of sources of each sector, before cleaning.
  package var counts: [Int]?
  /// The time from the image's first task to the end of its last, in seconds.
  package var seconds: Double?
  /// How many sectors each system scanned.
  package var systems: [String: Int]?
  package var reason: String?
  /// The files that were written; `nil` if none were.
  package var outputs: [WrittenFile]?

  package init(state: State) { self.state = state }

  /// - Returns: `nil` if the text is none that this type has written.
  package init?(_ text: String?) {
    guard let text,
      let outcome = try? JSONDecoder().decode(NightOutcome.self, from: Data(text.utf8))
    else { return nil }
    self = outcome
  }

  package var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Numbers and strings can always be encoded; JSON has no infinite numbers, and these are none.
    guard let data = try? encoder.encode(self) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }
}
