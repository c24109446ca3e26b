// What this file codes is frozen by the version of `SourceScan.kind`.

public import SkyDetection
public import SkyFITS

extension SourceScan {
  /// The settings of a scan for sources, which are the same for every sector: how the image is cut,
  /// how its pixels are coded, and how sources are detected and measured.
  ///
  /// The members of ``detection`` are members of the settings too: `settings.threshold` is
  /// `settings.detection.threshold`. In JSON, all of them are side by side.
  @dynamicMemberLookup
  public struct Settings: Hashable, Sendable {
    /// The image's size, and how the image is cut.
    public var grid: SectorGrid
    /// The coding of the pixels.
    package var coding: PixelCoding
    /// The coding of the weight map's pixels; `nil` if there is no weight map.
    /// `DetectionSettings.weighting` says what they are.
    package var weightCoding: PixelCoding?
    /// How sources are detected and measured.
    public var detection = DetectionSettings()

    /// The default settings for an image.
    public init(image: FITSImage, grid: SectorGrid) {
      self.init(grid: grid, coding: image.coding)
    }

    package init(grid: SectorGrid, coding: PixelCoding) {
      self.grid = grid
      self.coding = coding
    }

    /// A member of ``detection``.
    public subscript<Value>(dynamicMember member: WritableKeyPath<DetectionSettings, Value>)
      -> Value
    {
      get { detection[keyPath: member] }
      set { detection[keyPath: member] = newValue }
    }

    /// - Throws: `InvalidScan` if a setting is out of its range.
    public func check() throws {
      try grid.check(mesh: detection.mesh)
      try detection.check()
      guard weightCoding == nil || detection.weighting.kind != .background else {
        throw InvalidScan("a weight map, although the background's noise stands for weights")
      }
      guard grid.halo > detection.reach else {
        throw InvalidScan(
          "a halo of \(grid.halo) pixels; it must be wider than the \(detection.reach) pixels from "
            + "which the kernel and interpolation take values")
      }
    }
  }
}

extension SourceScan.Settings: Codable {
  private enum CodingKeys: String, CodingKey {
    case grid, coding, weightCoding
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    grid = try container.decode(SectorGrid.self, forKey: .grid)
    coding = try container.decode(PixelCoding.self, forKey: .coding)
    weightCoding = try container.decodeIfPresent(PixelCoding.self, forKey: .weightCoding)
    detection = try DetectionSettings(from: decoder)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(grid, forKey: .grid)
    try container.encode(coding, forKey: .coding)
    try container.encodeIfPresent(weightCoding, forKey: .weightCoding)
    try detection.encode(to: encoder)
  }
}
