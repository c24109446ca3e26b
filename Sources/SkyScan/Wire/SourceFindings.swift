package import SkyDetection

/// What is found in a sector. It is coded as its ``SourceFound``.
public struct SourceFindings: Hashable, Sendable {
  package let found: SourceFound

  package init(_ found: SourceFound) { self.found = found }
}

extension SourceFindings: Codable {
  public init(from decoder: any Decoder) throws { found = try SourceFound(from: decoder) }

  public func encode(to encoder: any Encoder) throws { try found.encode(to: encoder) }
}

/// What is found, by the pass that a task is of.
package enum SourceFound: Codable, Hashable, Sendable {
  /// The sky of each mesh, row by row; none, where too few pixels have values.
  case background([MeshSky?])
  /// Sources, what of others is in the sector, and what is to be scanned again with more of the
  /// image around it.
  case sources(SourceList, fragments: [Fragment], crowded: [ComponentPlace] = [])
}
