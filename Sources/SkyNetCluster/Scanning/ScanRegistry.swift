package import SkyNetCore

/// The kinds of scan that a process knows, each with the value that runs it.
package struct ScanRegistry: Sendable {
  /// A scan with its kind. It is an object, as each task looks one up, and copies of a kind and a scan would cost more.
  package final class Entry: Sendable {
    let kind: ScanKind
    let scan: any Scan
    /// The kind as a string in JSON.
    fileprivate let json: [UInt8]

    fileprivate init(_ scan: any Scan, of kind: ScanKind) {
      self.scan = scan
      self.kind = kind
      json = Array("\"\(kind)\"".utf8)
    }
  }

  /// By name. They are so few that a linear search is quicker than a hash.
  private let entries: [Entry]

  /// - Parameter scans: if two of them have the same kind, the later one counts.
  package init(_ scans: [any Scan]) {
    let byKind = Dictionary(scans.map { (type(of: $0).kind, $0) }) { _, later in later }
    entries = byKind.sorted { ($0.key.name, $0.key.version) < ($1.key.name, $1.key.version) }
      .map { Entry($0.value, of: $0.key) }
  }

  /// The kinds, ordered by name.
  package var kinds: [ScanKind] { entries.map(\.kind) }

  /// Whether one of the scans keeps a processor busy.
  var keepsProcessorBusy: Bool { entries.contains { type(of: $0.scan).keepsProcessorBusy } }

  /// What the first scan that keeps data of its tasks has kept; `nil` if none does.
  var cacheFigures: CacheFigures? {
    entries.lazy.compactMap { ($0.scan as? any CachingScan)?.cacheFigures }.first
  }

  /// Frees what scans have kept of their tasks' data.
  func dropCaches() {
    for entry in entries { (entry.scan as? any CachingScan)?.dropCache() }
  }

  subscript(kind: ScanKind) -> (any Scan)? { entries.first { $0.kind == kind }?.scan }

  /// - Throws: ``EngagementError/unknownScan(_:joinedWith:)`` if the registry has no scan of this type.
  func scan<Work: Scan>(of type: Work.Type) throws(EngagementError) -> Work {
    guard let scan = self[Work.kind] as? Work else {
      throw .unknownScan(Work.kind, joinedWith: kinds)
    }
    return scan
  }

  /// The scan whose kind stands in this text without escapes; `nil` if there is none.
  func entry(named text: JSONText) -> Entry? { entries.first { text.is($0.json) } }

  /// - Throws: `CallFailure` if the registry has no scan of this kind.
  func entry(of kind: String) throws -> Entry {
    guard let entry = entries.first(where: { $0.kind.description == kind }) else {
      throw CallFailure(.system, "this system does not know scans of kind \(kind)")
    }
    return entry
  }
}
