/// The name and version of a kind of scan, written `name/version`: `sources/3`.
///
/// Two machines that would give different bytes for the same sector must not share a scan. So
/// whatever changes a scan's results changes its version too.
public struct ScanKind: Hashable, Sendable {
  /// The one member, as the JSON of each task and each result has it, and each has copies of the kind.
  public let description: String

  /// Makes a kind of a name, which may hold slashes, and a version.
  public init(name: String, version: Int) { description = "\(name)/\(version)" }

  /// What stands before the last slash.
  public var name: String { String(description[..<slash]) }
  /// The number after the last slash.
  public var version: Int { Int(description[description.index(after: slash)...]) ?? 0 }

  private var slash: String.Index { description.lastIndex(of: "/") ?? description.endIndex }
}

extension ScanKind: LosslessStringConvertible, Codable, TextCoded {
  package static let otherText = "not a scan's kind, such as sources/1"

  /// Reads `name/version`; `nil` if the text has no slash, no name, or no whole number after it.
  public init?(_ description: String) {
    guard let slash = description.lastIndex(of: "/"), slash > description.startIndex,
      let version = Int(description[description.index(after: slash)...])
    else { return nil }
    self.init(name: String(description[..<slash]), version: version)
  }
}
