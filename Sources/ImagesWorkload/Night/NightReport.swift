import SkyNetCommand

/// What a night's end says of its images.
struct NightReport {
  private let rows: [NightRow]
  /// How many files of a followed folder could not be read as images.
  private let unread: Int
  /// How many images did not end: the run ended before.
  private let left: Int

  /// - Parameters:
  ///   - unread: how many files could not be read, and so have no row.
  ///   - left: how many images did not end.
  init(_ rows: [NightRow], unread: Int = 0, left: Int) {
    self.rows = rows.sorted { $0.position < $1.position }
    self.unread = unread
    self.left = left
  }

  /// Whether every image has its catalogue.
  var isWhole: Bool { left == 0 && unread == 0 && rows.allSatisfy { $0.reason == nil } }

  /// The lines for people: each image that failed, with its reason, and how many there are. Many with one reason share a
  /// line.
  ///
  /// - Parameter journal: the run's journal, by which it can be continued.
  func lines(journal: String?) -> [String] {
    let failed = rows.filter { $0.reason != nil }
    var lines = Self.lines(failed)
    let done = rows.count - failed.count
    let failures = failed.count + unread
    let total = rows.count + unread + left
    let sources = rows.reduce(0) { $0 + ($1.sources ?? 0) }
    let past = rows.count { $0.isPast && $0.reason == nil }
    lines.append(
      "\(done) of \(total) images, \(sources) sources"
        + (failures == 0 ? "" : ", \(failures) failed")
        + (past > 0 ? ", \(past) done before" : "")
        + (left == 0 ? "" : ", \(left) left: " + Self.next(journal)))
    return lines
  }

  /// More images than this with one reason share a line.
  private static let mostAlike = 10

  private static func lines(_ failed: [NightRow]) -> [String] {
    var (counts, told): ([String: Int], Set<String>) = ([:], [])
    for row in failed { counts[kind(of: row), default: 0] += 1 }
    return failed.compactMap { row in
      let kind = kind(of: row)
      guard let count = counts[kind], count > mostAlike else { return line(row) }
      return told.insert(kind).inserted
        ? "no catalogue: \(row.image) and \(count - 1) more: \(kind)" : nil
    }
  }

  /// The reason without the image's own name.
  private static func kind(of row: NightRow) -> String {
    let reason = row.reason ?? ""
    let name = ImageName(row.image).path + ": "
    return reason.hasPrefix(name) ? String(reason.dropFirst(name.count)) : reason
  }

  private static func line(_ row: NightRow) -> String {
    let (image, reason) = (row.image, row.reason ?? "")
    if let place = row.placeInFile, place.count > 1 {
      return "not in the catalogue: \(image), image \(place.number) of \(place.count): \(reason)"
    }
    // The errors of a file begin with its name.
    return reason.hasPrefix("\(image): ")
      ? "no catalogue: \(reason)" : "no catalogue: \(image): \(reason)"
  }

  private static func next(_ journal: String?) -> String {
    journal.map { "the same command continues from \($0)" }
      ?? "a run with --journal FILE can be continued"
  }
}
