/// A table of text that gives up columns, and then parts of its cells, where it has no room.
struct TextTable {
  struct Column {
    let title: String
    /// Columns of higher ranks are given up first; those of rank 0 never.
    var rank = 0
    var alignsRight = false
    /// The least width of a column whose cells may be cut; `nil` if they may not.
    var least: Int?
    /// The width up to which columns of luxury are given up for this one; `nil` for the least.
    var wanted: Int?
    /// Whether a cell that is cut keeps its end, which tells most of a path.
    var keepsEnd = false
  }

  /// Columns of this and higher ranks are luxury.
  private static let luxury = 6

  /// One row: its cells, and the style in which it is shown.
  struct Row {
    var cells: [String]
    var style = Style.plain
  }

  private static let gap = "  "

  let columns: [Column]
  let rows: [Row]

  /// The heading and the rows. Each fits into these columns, unless even the least widths do not.
  func lines(columns room: Int = .max) -> [StyledText] {
    let shown = shownColumns(room)
    let widths = widths(of: shown, in: room)
    return [StyledText(line(columns.map(\.title), shown, widths), .faint)]
      + rows.map { StyledText(bars: line($0.cells, shown, widths), $0.style) }
  }

  private func line(_ cells: [String], _ shown: [Int], _ widths: [Int]) -> String {
    let parts = zip(shown, widths).map { index, width in
      let text = cells[index].showingControls
      let cell = columns[index].keepsEnd ? text.cutAtStart(to: width) : text.cut(to: width)
      return columns[index].alignsRight ? cell.indented(to: width) : cell.padded(to: width)
    }
    let line = parts.joined(separator: Self.gap)
    return String(line.prefix(line.count - line.reversed().prefix { $0 == " " }.count))
  }

  /// The width that a column asks for.
  private func natural(_ index: Int) -> Int {
    rows.reduce(columns[index].title.columns) {
      max($0, $1.cells[index].showingControls.columns)
    }
  }

  private func least(_ index: Int) -> Int {
    min(natural(index), max(columns[index].least ?? .max, columns[index].title.columns))
  }

  private func gaps(_ count: Int) -> Int { max(0, count - 1) * Self.gap.count }

  private func wanted(_ index: Int) -> Int {
    max(least(index), min(natural(index), columns[index].wanted ?? 0))
  }

  private func shownColumns(_ room: Int) -> [Int] {
    var shown = Array(columns.indices)
    while let last = shown.max(by: { columns[$0].rank < columns[$1].rank }),
      columns[last].rank > 0
    {
      let isLuxury = columns[last].rank >= Self.luxury
      let needed = shown.reduce(gaps(shown.count)) { $0 + (isLuxury ? wanted($1) : least($1)) }
      guard needed > room else { break }
      shown.removeAll { $0 == last }
    }
    return shown
  }

  /// Every column has its least width. What room is left goes to the first that lack what they want, and then
  /// to the first that would take more.
  private func widths(of shown: [Int], in room: Int) -> [Int] {
    guard room < .max else { return shown.map(natural) }
    var widths = shown.map(least)
    var left = max(0, room - gaps(shown.count) - widths.reduce(0, +))
    for width in [wanted, natural] {
      for (place, index) in shown.enumerated() {
        let more = min(left, max(0, width(index) - widths[place]))
        widths[place] += more
        left -= more
      }
    }
    return widths
  }
}
