// What this file codes is frozen by the version of `SourceScan.kind`.

extension DetectionSettings {
  /// The size of the background's meshes, in pixels (BACK_SIZE). A number stands for a square.
  public struct MeshSize: Hashable, Sendable, ExpressibleByIntegerLiteral {
    public var width: Int
    public var height: Int

    /// - Parameters:
    ///   - width: the number of a mesh's columns.
    ///   - height: the number of its rows.
    public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// A square.
    public init(_ side: Int) { self.init(width: side, height: side) }

    public init(integerLiteral side: Int) { self.init(side) }

    /// The shortest side of a square that consists of whole meshes: the least common multiple of the
    /// sides, which must be 1 or more.
    var unit: Int {
      var (one, other) = (width, height)
      while other > 0 { (one, other) = (other, one % other) }
      return width / max(1, one) * height
    }

    var shorterSide: Int { min(width, height) }

    /// - Throws: ``InvalidScan`` if a mesh cannot have that size.
    func check() throws {
      let sides = 1...SectorGrid.maximumSide
      guard sides.contains(width), sides.contains(height) else {
        throw InvalidScan("a mesh of \(self) pixels; 1 to \(sides.upperBound) are allowed")
      }
      guard sides.contains(unit) else {
        throw InvalidScan(
          "a mesh of \(self) pixels, whose sides' least common multiple is \(unit); at most "
            + "\(sides.upperBound) is allowed")
      }
    }
  }
}

extension DetectionSettings.MeshSize: CustomStringConvertible {
  public var description: String { width == height ? "\(width)" : "\(width) × \(height)" }
}

/// Coded as the width and the height.
extension DetectionSettings.MeshSize: Codable {
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    self.init(width: try container.decode(Int.self), height: try container.decode(Int.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(width)
    try container.encode(height)
  }
}
