/// A terminal's screen after some output: text, and the few control sequences that `skynet` writes.
/// Lines that have scrolled out of the window cannot change any more, as on a real terminal.
struct Screen {
  private struct Row {
    var text: [Character] = []
    /// Whether the line continues on the next row.
    var wraps = false
  }

  private let columns: Int
  private let height: Int
  private var rows = [Row()]
  private var row = 0
  private var column = 0
  private var wrapsLines = true
  /// Unknown control sequences, which `skynet` should not write.
  private(set) var unknown: [String] = []

  init(columns: Int, rows: Int) {
    self.columns = columns
    height = rows
  }

  /// The lines as they were written: a line that wrapped is one line here.
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
    while lines.last == "" { lines.removeLast() }
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
    case "[2K": rows[row] = Row()
    case "[J":
      rows.removeSubrange((row + 1)...)
      rows[row].text.removeSubrange(min(column, rows[row].text.count)...)
      rows[row].wraps = false
    default:
      if let up = sequence.wholeMatch(of: /\[(\d+)A/), let count = Int(up.1) {
        // The cursor stops at the window's first row.
        row = max(row - count, max(0, rows.count - height))
      } else if sequence.wholeMatch(of: /\[\d+m/) != nil {
        // A colour.
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
