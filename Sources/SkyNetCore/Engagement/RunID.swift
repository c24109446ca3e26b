/// The id of a run: 16 hexadecimal digits, chosen at random when the run begins.
///
/// Everything that is said of a run carries it: events, log messages, the journal, and each task, so that a
/// node can tell which run it scans for. A process that resumes a run from its journal continues the same run.
public struct RunID: Hashable, Sendable {
  package let number: UInt64

  /// A new id.
  public init() { number = UInt64.random(in: .min ... .max) }

  package init(number: UInt64) { self.number = number }

  /// The first 8 digits, which tell runs apart for people. Files and JSON have all digits.
  package var short: String { String(description.prefix(8)) }
}

extension RunID: LosslessStringConvertible, Codable, TextCoded {
  package static let otherText = "no run's id: 16 hexadecimal digits"

  /// Reads an id of exactly 16 hexadecimal digits; of any other text it is `nil`.
  public init?(_ description: String) {
    guard description.utf8.count == 16, let number = UInt64(description, radix: 16),
      description.utf8.first != UInt8(ascii: "+")
    else { return nil }
    self.number = number
  }

  public var description: String { number.sixteenDigits }
}

extension UInt64 {
  /// All hexadecimal digits of the number, with the leading zeros.
  package var sixteenDigits: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
