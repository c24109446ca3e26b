/// What a terminal shows after all that was written to it: text, and the few control sequences that
/// `skynet` writes. What scrolled out of its window stays as it is, as on a real one.
struct Screen {
  private struct Row {
    var text: [Character] = []
    /// Whether the row after it goes on with its line.
    var wraps = false
  }

  private let columns: Int
  private let height: Int
  private var rows = [Row()]
  private var row = 0
  private var column = 0
  private var wrapsLines = true
  /// Control sequences that it does not know, which it should not have been sent.
  private(set) var unknown: [String] = []

  init(columns: Int, rows: Int) {
    self.columns = columns
    height = rows
  }

  /// The lines, each as it was written: those that did not fit on a row of the window are whole.
  var lines: [String] {
    var lines: [String] = []
    var goesOn = false
    for row in rows {
      if goesOn {
        lines[lines.count - 1] += String(row.text)
      } else {
        lines.append(String(row.text))
      }
      goesOn = row.wraps
    }
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  mutating func write(_ text: String) {
    var rest = Array(text.unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\n": lineFeed()
      case "\r": column = 0
      case "\u{1B}":
        let end = rest.firstIndex { $0.properties.isAlphabetic } ?? rest.endIndex - 1
        let sequence = rest[...end].map(String.init).joined()
        rest = rest[(end + 1)...]
        obey(sequence)
      default: put(Character(scalar))
      }
    }
  }

  private mutating func obey(_ sequence: String) {
    switch sequence {
    case "[?7l": wrapsLines = false
    case "[?7h": wrapsLines = true
    case "[J":
      rows.removeSubrange((row + 1)...)
      rows[row].text.removeSubrange(min(column, rows[row].text.count)...)
      rows[row].wraps = false
    default:
      if let up = sequence.wholeMatch(of: /\[(\d+)A/), let count = Int(up.1) {
        // No further than to the window's first row.
        row = max(row - count, max(0, rows.count - height))
      } else {
        unknown.append(sequence)
      }
    }
  }

  private mutating func lineFeed() {
    row += 1
    if row == rows.count { rows.append(Row()) }
  }

  private mutating func put(_ character: Character) {
    if column == columns {
      if wrapsLines {
        rows[row].wraps = true
        lineFeed()
        column = 0
      } else {
        column -= 1
      }
    }
    if column < rows[row].text.count {
      rows[row].text[column] = character
    } else {
      rows[row].text.append(character)
    }
    column += 1
  }
}
