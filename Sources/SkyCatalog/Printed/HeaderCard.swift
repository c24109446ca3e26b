/// A card of a FITS header (FITS Standard 4.0, section 4.1), laid out as SExtractor does.
struct HeaderCard: Hashable, Sendable {
  /// 80 characters.
  let text: String

  init(_ keyword: String, _ value: Value, _ comment: String? = nil) {
    let start = keyword.left(in: 8) + "= " + value.text + (comment == nil ? "" : " / ")
    let words = (comment ?? "").wholeWords(in: Swift.max(0, 80 - start.count))
    text = (start + words).left(in: 80)
  }

  private init(text: String) { self.text = text.left(in: 80) }

  /// The cards of a header, of 80 characters each.
  static func cards(of header: String) -> [HeaderCard] {
    let bytes = Array(header.utf8)
    return stride(from: 0, to: bytes.count, by: 80).map {
      HeaderCard(text: String(decoding: bytes[$0..<Swift.min($0 + 80, bytes.count)], as: UTF8.self))
    }
  }

  static let end = HeaderCard(text: "END")

  enum Value: Hashable, Sendable {
    case flag(Bool)
    case whole(Int)
    /// A number with eight decimals.
    case fixed(Double)
    /// A number with an exponent.
    case number(Double)
    /// Printable ASCII. Other characters become question marks.
    case text(String)

    fileprivate var text: String {
      switch self {
      case .flag(let value): (value ? "T" : "F").right(in: 20)
      case .whole(let value): String(value).right(in: 20)
      case .fixed(let value): Self.printed(value, .fixed(width: 20, places: 8))
      case .number(let value): Self.printed(value, .exponent(width: 20, digits: 12))
      case .text(let value): "'\(Self.quoted(value).filled(to: 8))'".filled(to: 20)
      }
    }

    /// A number as in a card, which has no form for one that is not finite.
    private static func printed(_ value: Double, _ format: PrintFormat) -> String {
      var bytes: [UInt8] = []
      format.append(value.isFinite ? value : 0, to: &bytes)
      return String(decoding: bytes, as: UTF8.self).uppercased()
    }

    /// A card has room for 68 characters, and each quote takes two.
    private static func quoted(_ value: String) -> String {
      var quoted = ""
      for scalar in value.unicodeScalars {
        let isPrintable = (0x20...0x7e).contains(scalar.value)
        let next = scalar == "'" ? "''" : isPrintable ? String(scalar) : "?"
        guard quoted.count + next.count <= 68 else { break }
        quoted += next
      }
      return quoted
    }
  }
}
