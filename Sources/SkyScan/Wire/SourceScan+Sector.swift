// What this file codes is frozen by the version of `SourceScan.kind`.

package import SkyDetection

extension SourceScan {
  /// The input of a task of a ``SourceScan``. Only ``ImageJob`` makes it. It is coded as its
  /// `SourceWork`, or as an object with that, the files and the use of the cache.
  public struct Sector: Hashable, Sendable {
    package let work: SourceWork
    /// The files with the pixels that the patches do not have; `nil` if they have all.
    package var files: SectorFiles?
    /// How the patches get their pixels by way of the system's cache; `nil` if they do not.
    package var cacheUse: CacheUse?

    package init(_ work: SourceWork, files: SectorFiles? = nil, cacheUse: CacheUse? = nil) {
      (self.work, self.files, self.cacheUse) = (work, files, cacheUse)
    }

    /// The number of pixels in all patches.
    var pixelCount: Int { work.pixelCount }

    /// - Throws: ``InvalidScan`` if places, sizes and bytes do not fit together.
    func check(_ settings: SourceScan.Settings) throws { try work.check(settings) }
  }
}

extension SourceScan.Sector: Codable {
  private enum CodingKeys: String, CodingKey {
    case work, files
    case cacheUse = "cache"
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard container.contains(.files) || container.contains(.cacheUse) else {
      self.init(try SourceWork(from: decoder))
      return
    }
    self.init(
      try container.decode(SourceWork.self, forKey: .work),
      files: try container.decodeIfPresent(SectorFiles.self, forKey: .files),
      cacheUse: try container.decodeIfPresent(CacheUse.self, forKey: .cacheUse))
  }

  public func encode(to encoder: any Encoder) throws {
    guard files != nil || cacheUse != nil else { return try work.encode(to: encoder) }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(work, forKey: .work)
    try container.encodeIfPresent(files, forKey: .files)
    try container.encodeIfPresent(cacheUse, forKey: .cacheUse)
  }
}

/// The work of a task, by the task's pass.
package enum SourceWork: Codable, Hashable, Sendable {
  /// The background of a sector's meshes.
  case background(ImagePatch)
  /// The sources of a sector, by its number, in its patch.
  case detection(Int, ImagePatch, BackgroundPatch)
  /// The sources of components, each in a patch that holds it entirely.
  case components([ComponentPatch])
  /// The sources that cleaning leaves of components.
  case cleaned([CleanedPatch])
  /// All sources of an image of one sector, whose passes all run in one task.
  case whole(ImagePatch)

  /// The number of pixels in all patches.
  fileprivate var pixelCount: Int {
    switch self {
    case .background(let patch), .detection(_, let patch, _), .whole(let patch): patch.pixelCount
    case .components(let components): components.reduce(0) { $0 + $1.patch.pixelCount }
    case .cleaned(let patches): patches.reduce(0) { $0 + $1.patch.pixelCount }
    }
  }

  /// - Throws: ``InvalidScan`` if places, sizes and bytes do not fit together.
  fileprivate func check(_ settings: SourceScan.Settings) throws {
    switch self {
    case .background(let patch):
      // If meshes are small, the estimates of a mesh take more memory than its pixels.
      guard patch.rectangle.width <= settings.grid.side,
        patch.rectangle.height <= settings.grid.side
      else {
        throw InvalidScan(
          "the background of \(patch.rectangle), where sectors have \(settings.grid.side) a side")
      }
      try patch.check(settings)
    case .detection(let number, let patch, let background):
      guard (0..<settings.grid.count).contains(number),
        patch.rectangle == settings.grid.patch(number)
      else { throw InvalidScan("\(patch.rectangle) as the patch of sector \(number)") }
      try patch.check(settings)
      try background.check()
    case .whole(let patch):
      guard settings.grid.count == 1, patch.rectangle == settings.grid[0] else {
        throw InvalidScan("\(patch.rectangle) as a whole image of \(settings.grid.count) sectors")
      }
      try patch.check(settings)
    case .components(let components):
      for component in components {
        try component.patch.check(settings)
        try component.background.check()
        guard component.known != nil || component.patch.rectangle.holds(component.box) else {
          throw InvalidScan("a component in \(component.box), which its patch does not hold")
        }
      }
    case .cleaned(let patches):
      for cleaned in patches {
        try cleaned.patch.check(settings)
        try cleaned.background.check()
      }
    }
  }
}
