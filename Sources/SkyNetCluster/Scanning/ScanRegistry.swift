public import SkyNetCore

/// The kinds of scan that a process knows, each with the value that runs it.
public struct ScanRegistry: Sendable {
  private let scans: [ScanKind: any Scan]
  /// The same, by what their kinds are in JSON, where a slash may be escaped or not.
  private let texts: [(text: [UInt8], scan: any Scan)]

  /// Of two scans of one kind the later one counts.
  public init(_ scans: [any Scan]) {
    self.scans = Dictionary(scans.map { (type(of: $0).kind, $0) }) { _, later in later }
    texts = self.scans.flatMap { kind, scan in
      let plain = "\"\(kind)\""
      return [plain, plain.replacing("/", with: "\\/")].map { (Array($0.utf8), scan) }
    }
  }

  /// In the order of their names.
  public var kinds: [ScanKind] {
    scans.keys.sorted { ($0.name, $0.version) < ($1.name, $1.version) }
  }

  subscript(kind: ScanKind) -> (any Scan)? { scans[kind] }

  /// The scan whose kind is this JSON; `nil` if there is none, or the kind is written otherwise.
  func scan(writtenAs kind: JSONText) -> (any Scan)? { texts.first { kind.is($0.text) }?.scan }

  /// - Throws: `CallFailure` if the kind is not known here.
  func scan(of kind: ScanKind) throws -> any Scan {
    guard let scan = scans[kind] else {
      throw CallFailure(.system, "this system does not know scans of kind \(kind)")
    }
    return scan
  }
}
