/// How an image is cut into sectors: squares, numbered row by row from the first pixel; those at
/// the far borders are smaller.
public struct SectorGrid: Hashable, Sendable {
  /// What a sector's side is a multiple of, so that the background's meshes lie the same whatever
  /// the side.
  public static let sideMultiple = SkyMap.meshSide
  public static let defaultSide = 256

  public let width: Int
  public let height: Int
  public let side: Int

  /// - Parameters:
  ///   - width: the image's, in pixels; at least 1.
  ///   - height: the image's.
  ///   - side: a sector's.
  /// - Throws: ``InvalidScan`` unless the side is a multiple of ``sideMultiple``, and at most
  ///   ``SourceSector/maximumSide``.
  public init(width: Int, height: Int, side: Int = defaultSide) throws {
    guard side > 0, side <= SourceSector.maximumSide, side.isMultiple(of: Self.sideMultiple) else {
      throw InvalidScan(
        "a sector side of \(side) pixels; multiples of \(Self.sideMultiple) from "
          + "\(Self.sideMultiple) to \(SourceSector.maximumSide) are allowed")
    }
    precondition(width > 0 && height > 0, "an image of \(width) × \(height) pixels")
    self.width = width
    self.height = height
    self.side = side
  }

  public var columns: Int { (width + side - 1) / side }
  public var rows: Int { (height + side - 1) / side }
  /// How many sectors there are.
  public var count: Int { columns * rows }

  /// The place of a sector; its number must be one of the grid's.
  public subscript(number: Int) -> PixelRectangle {
    precondition((0..<count).contains(number), "sector \(number) of \(count)")
    let x = number % columns * side
    let y = number / columns * side
    return PixelRectangle(x: x, y: y, width: min(side, width - x), height: min(side, height - y))
  }
}
