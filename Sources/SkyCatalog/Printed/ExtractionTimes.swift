package import Foundation

/// When an image was scanned, as SExtractor's catalogues tell it (SEXDATE, SEXTIME, SEXELAPS): in whole seconds
/// and in the local time.
///
/// SOURCE_DATE_EPOCH in the environment (https://reproducible-builds.org/specs/source-date-epoch) takes the place of
/// the clock: then it is told in UTC, the scan took no time, and the catalogue has the same bytes each time.
package struct ExtractionTimes: Hashable, Sendable {
  /// In seconds since 1970.
  private let began: Int
  private var ended: Int
  private let isFixed: Bool

  static let variable = "SOURCE_DATE_EPOCH"
  /// The last second of the year 9999.
  private static let latest = 253_402_300_799

  /// A scan that begins now.
  ///
  /// - Throws: ``InvalidTime`` if SOURCE_DATE_EPOCH is no time.
  package init(
    _ environment: [String: String] = ProcessInfo.processInfo.environment, now: Date = Date()
  ) throws(InvalidTime) {
    guard let text = environment[Self.variable] else {
      (began, isFixed) = (Int(now.timeIntervalSince1970), false)
      ended = began
      return
    }
    guard let seconds = Int(text), (0...Self.latest).contains(seconds) else {
      throw InvalidTime(text: text)
    }
    (began, ended, isFixed) = (seconds, seconds, true)
  }

  /// SOURCE_DATE_EPOCH is no time.
  package struct InvalidTime: Error, CustomStringConvertible {
    let text: String

    package var description: String {
      "\(ExtractionTimes.variable) is no number of seconds since 1970, but '\(text)'; correct it, or unset it"
    }
  }

  /// The scan ends now.
  package mutating func end(now: Date = Date()) {
    if !isFixed { ended = max(began, Int(now.timeIntervalSince1970)) }
  }

  /// The cards, behind that of the program.
  var cards: [HeaderCard] {
    var (seconds, parts) = (time_t(ended), tm())
    if isFixed { gmtime_r(&seconds, &parts) } else { localtime_r(&seconds, &parts) }
    func text(_ format: String, _ numbers: Int32...) -> HeaderCard.Value {
      .text(String(format: format, arguments: numbers))
    }
    return [
      HeaderCard(
        "SEXDATE", text("%02d/%02d/%04d", parts.tm_mday, parts.tm_mon + 1, parts.tm_year + 1900),
        "day of the scan"),
      HeaderCard(
        "SEXTIME", text("%02d:%02d:%02d", parts.tm_hour, parts.tm_min, parts.tm_sec),
        "time of its end"),
      HeaderCard("SEXELAPS", .fixed(Double(ended - began)), "how long it took (s)"),
    ]
  }
}
