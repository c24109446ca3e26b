/// How many columns of a terminal text takes. Latin letters take one, East Asian ideographs and emoji two,
/// and what combines with the letter before it none.
///
/// Terminals differ in a few sequences of emoji, so a line that is cut by these widths may still be some
/// columns off; ``Panel`` has the terminal cut what is left over.
extension Character {
  var columns: Int {
    // Nearly all text is ASCII, and a letter with its accents is one character.
    if isASCII { return 1 }
    var sum = 0
    for scalar in unicodeScalars {
      // A variation selector 16 asks for the emoji of the character before it.
      if scalar.value == 0xFE0F { return 2 }
      sum += scalar.columns
    }
    return min(2, sum)
  }
}

extension Unicode.Scalar {
  fileprivate var columns: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    // Joiners and directional marks. A soft hyphen is shown.
    case .format: return value == 0xAD ? 1 : 0
    default: break
    }
    // The vowels and finals of Hangul syllables that are written in parts.
    if (0x1160...0x11FF).contains(value) { return 0 }
    return properties.isEmojiPresentation || isWide ? 2 : 1
  }

  /// Whether the scalar is of Unicode's East Asian Width W or F (UAX #11), by blocks; wide emoji are not
  /// among them.
  private var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF,
      0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
      0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF,
      0x20000...0x3FFFD:
      true
    default: false
    }
  }
}

extension StringProtocol {
  /// How many columns of a terminal the text takes.
  var columns: Int { reduce(0) { $0 + $1.columns } }

  /// As much of the text, from its beginning, as fits into these columns.
  func prefix(columns: Int) -> SubSequence {
    var room = columns
    return prefix { character in
      room -= character.columns
      return room >= 0
    }
  }
}

extension String {
  /// The text with spaces behind it, so that it takes this many columns.
  func padded(to columns: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, columns - self.columns))
  }

  /// The text with spaces before it, so that it takes this many columns.
  func indented(to columns: Int) -> String {
    String(repeating: " ", count: Swift.max(0, columns - self.columns)) + self
  }

  /// The text, if it fits into these columns. Otherwise it is cut, and ends with an ellipsis.
  func cut(to columns: Int) -> String {
    if self.columns <= columns { return self }
    return columns > 0 ? prefix(columns: columns - 1) + "…" : ""
  }

  /// The text, if it fits into these columns. Otherwise its end, after an ellipsis: of a path the file's name tells
  /// most.
  func cutAtStart(to columns: Int) -> String {
    if self.columns <= columns { return self }
    guard columns > 0 else { return "" }
    let end = String(reversed()).prefix(columns: columns - 1)
    return "…" + String(end.reversed())
  }

  /// The text, if it fits into these columns. Otherwise it is cut after a word, and ends with an ellipsis.
  func cutAtWord(to columns: Int) -> String {
    if self.columns <= columns { return self }
    let fitting = prefix(columns: Swift.max(0, columns - 1))
    let isWhole = self[fitting.endIndex...].first == " "
    // A first word that does not fit is cut all the same.
    guard !isWhole, let space = fitting.lastIndex(of: " ") else { return cut(to: columns) }
    let words = fitting[..<space].trimmingSuffix { $0 == " " || $0 == "," || $0 == ";" }
    return words.isEmpty ? cut(to: columns) : words + " …"
  }
}

extension Substring {
  fileprivate func trimmingSuffix(while isUnwanted: (Character) -> Bool) -> Substring {
    var rest = self
    while let last = rest.last, isUnwanted(last) { rest.removeLast() }
    return rest
  }
}
