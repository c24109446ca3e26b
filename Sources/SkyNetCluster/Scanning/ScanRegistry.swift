package import SkyNetCore

/// The kinds of scan that a process knows, each with the value that runs it.
package struct ScanRegistry: Sendable {
  /// By name. They are so few that a linear search is quicker than a hash. The search goes by index, as a loop over
  /// the entries would copy each of them.
  private let entries: [(kind: ScanKind, scan: any Scan)]

  /// - Parameter scans: if two of them have the same kind, the later one counts.
  package init(_ scans: [any Scan]) {
    let byKind = Dictionary(scans.map { (type(of: $0).kind, $0) }) { _, later in later }
    entries = byKind.sorted { ($0.key.name, $0.key.version) < ($1.key.name, $1.key.version) }
      .map { (kind: $0.key, scan: $0.value) }
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
    for index in entries.indices { (entries[index].scan as? any CachingScan)?.dropCache() }
  }

  subscript(kind: ScanKind) -> (any Scan)? {
    for index in entries.indices where entries[index].kind == kind { return entries[index].scan }
    return nil
  }

  /// - Throws: `CallFailure` if the registry has no scan of this kind.
  func scan(of kind: String) throws -> any Scan {
    for index in entries.indices where entries[index].kind.description == kind {
      return entries[index].scan
    }
    throw CallFailure(.system, "this system does not know scans of kind \(kind)")
  }
}
