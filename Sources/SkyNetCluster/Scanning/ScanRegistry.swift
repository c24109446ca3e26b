package import SkyNetCore

/// The kinds of scan that a process knows, each with the value that runs it.
package struct ScanRegistry: Sendable {
  private struct Entry {
    let kind: ScanKind
    let scan: any Scan
    /// What its kind is in JSON, where a slash may be escaped or not.
    let text: [UInt8]
    let escapedText: [UInt8]
  }

  /// In the order of their names. They are so few that a search is quicker than a hash; it goes by
  /// index, as a loop over the entries copies each.
  private let entries: [Entry]

  /// Of two scans of one kind the later one counts.
  package init(_ scans: [any Scan]) {
    let byKind = Dictionary(scans.map { (type(of: $0).kind, $0) }) { _, later in later }
    entries = byKind.sorted { ($0.key.name, $0.key.version) < ($1.key.name, $1.key.version) }
      .map { kind, scan in
        let text = "\"\(kind)\""
        return Entry(
          kind: kind, scan: scan, text: Array(text.utf8),
          escapedText: Array(text.replacing("/", with: "\\/").utf8))
      }
  }

  /// In the order of their names.
  package var kinds: [ScanKind] { entries.map(\.kind) }

  subscript(kind: ScanKind) -> (any Scan)? {
    for index in entries.indices where entries[index].kind == kind { return entries[index].scan }
    return nil
  }

  /// The scan whose kind is this JSON; `nil` if there is none, or the kind is written otherwise.
  func scan(writtenAs kind: JSONText) -> (any Scan)? {
    for index in entries.indices
    where kind.is(entries[index].text) || kind.is(entries[index].escapedText) {
      return entries[index].scan
    }
    return nil
  }

  /// - Throws: `CallFailure` if the kind is not known here.
  func scan(of kind: ScanKind) throws -> any Scan {
    guard let scan = self[kind] else {
      throw CallFailure(.system, "this system does not know scans of kind \(kind)")
    }
    return scan
  }
}
