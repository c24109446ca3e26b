/// A spatial index of sources of similar size: rows from top to bottom, and each row sorted by x.
struct ProfileIndex {
  private struct Place {
    var row: Int
    var x: Double
    var index: Int
  }

  /// The largest major axis among the sources, and the lowest height.
  private let semiMajorAxis: Double
  private let height: Double
  /// The height of a row, in pixels.
  private let step: Double
  private let places: [Place]
  /// The first place of each row that is not empty.
  private let rows: [(row: Int, start: Int)]

  /// - Parameter indices: the sources to index; at least one.
  init(_ indices: [Int], of profiles: [CleaningProfile?]) {
    let members = indices.compactMap { index in profiles[index].map { (index, $0) } }
    semiMajorAxis = members.map(\.1.semiMajorAxis).max() ?? 0
    height = members.map(\.1.height).min() ?? 0
    let step = max(1, 8 * semiMajorAxis)
    self.step = step
    let places = members.map { index, profile in
      Place(row: Self.row(profile.y, step), x: profile.x, index: index)
    }.sorted { ($0.row, $0.x) < ($1.row, $1.x) }
    self.places = places
    rows = places.indices.compactMap { start in
      let row = places[start].row
      return start > 0 && places[start - 1].row == row ? nil : (row, start)
    }
  }

  private static func row(_ y: Double, _ step: Double) -> Int {
    Int(max(-1e12, min(1e12, y / step)).rounded(.down))
  }

  /// Calls the closure with every source that the profile may cover, and with some others.
  func forEach(near profile: CleaningProfile, _ body: (Int) -> Void) {
    let reach = profile.reach(height: height, semiMajorAxis: semiMajorAxis)
    guard reach > 0 else { return }
    let (first, last) = (
      Self.row(profile.y - reach, step), Self.row(profile.y + reach, step)
    )
    var number = rows.partition { $0.row >= first }
    while number < rows.count, rows[number].row <= last {
      let end = number + 1 < rows.count ? rows[number + 1].start : places.count
      let row = places[rows[number].start..<end]
      for place in row[row.partition { $0.x >= profile.x - reach }...] {
        if place.x > profile.x + reach { break }
        body(place.index)
      }
      number += 1
    }
  }
}

extension RandomAccessCollection where Index == Int {
  /// The first index where the condition holds. It must hold from there to the end, and nowhere
  /// before.
  fileprivate func partition(by holds: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
