// What this file codes is frozen by the version of `SourceScan.kind`.

package import SkyDetection

extension SourceScan {
  /// The findings of a task of a ``SourceScan``. Only ``ImageJob`` interprets them. They are coded as
  /// their `SourceFound`.
  public struct Findings: Hashable, Sendable {
    package let found: SourceFound

    package init(_ found: SourceFound) { self.found = found }
  }
}

extension SourceScan.Findings: Codable {
  public init(from decoder: any Decoder) throws { found = try SourceFound(from: decoder) }

  public func encode(to encoder: any Encoder) throws { try found.encode(to: encoder) }
}

extension SourceScan.Findings: CustomStringConvertible {
  public var description: String {
    switch found {
    case .background(let list):
      let skies = list.skies
      return "the background of \(skies.count) meshes, \(skies.count { $0 == nil }) of them blank"
    case .whole(let list, _): return "\(list.sources.count) sources"
    case .sources(let list, let fragments, let crowded):
      return
        "\(list.sources.count) sources, \(fragments.count) fragments of components that go on in "
        + "other sectors, \(crowded.count) crowded components"
    }
  }
}

/// The findings, by the task's pass.
package enum SourceFound: Codable, Hashable, Sendable {
  /// The sky of each mesh.
  case background(SkyList)
  /// Sources, fragments of components that cross the sector's border, and the crowded components,
  /// which are scanned again with more of the image around them.
  case sources(SourceList, fragments: [Fragment], crowded: [ComponentPlace] = [])
  /// All sources of an image, and the sky of each of its meshes.
  case whole(SourceList, SkyList)
}
