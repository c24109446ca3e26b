/// How an image is cut into sectors: squares, numbered row by row from the first pixel; those at
/// the far borders are smaller.
///
/// Sectors do not overlap. A system finds a sector's sources in the sector's *patch*: the sector with
/// a margin around it, the *halo*, as far as the image goes.
public struct SectorGrid: Codable, Hashable, Sendable {
  /// The longest side of a sector, in pixels. With it a scan takes some hundreds of MiB, and looks
  /// often enough whether it is cancelled: turning bytes into values is not interrupted.
  public static let maximumSide = 4096
  /// The longest side of a patch, in pixels.
  package static let maximumPatchSide = 4608
  /// The longest side of an image, in pixels.
  package static let maximumImageSide = 1 << 20
  /// How many meshes a sector has a side at most: what is found of them has to fit into a message.
  static let maximumMeshes = 256

  /// The side that serves an image best: larger sectors cost less for each pixel, and more of them
  /// keep more systems busy to the end.
  ///
  /// - Parameter mesh: of which it is a multiple.
  public static func defaultSide(width: Int, height: Int, mesh: Int = 64) -> Int {
    let isLarge = width * height >= 64 * 1024 * 1024
    return max(1, min(maximumMeshes, (isLarge ? 1024 : 512) / mesh)) * mesh
  }

  /// The image's size, in pixels.
  public let width: Int
  public let height: Int
  /// The side of a sector, and the width of the halo.
  public let side: Int
  public let halo: Int

  /// - Parameters:
  ///   - side: a multiple of `mesh`, so that the meshes lie the same whatever the side.
  ///   - mesh: the side of the background's meshes.
  /// - Throws: ``InvalidScan`` if a number is out of its range.
  public init(width: Int, height: Int, side: Int, halo: Int = 32, mesh: Int = 64) throws {
    self.width = width
    self.height = height
    self.side = side
    self.halo = halo
    try check(mesh: mesh)
  }

  /// One sector, of an image of any size, that has no need of others.
  init(uncutWidth width: Int, height: Int) {
    self.width = width
    self.height = height
    side = max(width, height)
    halo = 0
  }

  /// - Throws: ``InvalidScan`` if no image is divided into meshes of that side.
  static func check(mesh: Int) throws {
    guard (1...maximumSide).contains(mesh) else {
      throw InvalidScan("a mesh of \(mesh) pixels; 1 to \(maximumSide) are allowed")
    }
  }

  /// - Throws: ``InvalidScan`` if a number is out of its range.
  package func check(mesh: Int) throws {
    try Self.check(mesh: mesh)
    let sides = 1...Self.maximumImageSide
    guard sides.contains(width), sides.contains(height) else {
      throw InvalidScan("an image of \(width) × \(height) pixels")
    }
    guard side > 0, side <= Self.maximumSide, side.isMultiple(of: mesh) else {
      throw InvalidScan(
        "a sector side of \(side) pixels; multiples of \(mesh) from \(mesh) to "
          + "\(Self.maximumSide) are allowed")
    }
    guard side / mesh <= Self.maximumMeshes else {
      throw InvalidScan(
        "a sector side of \(side) pixels with meshes of \(mesh); at most \(Self.maximumMeshes) "
          + "meshes a side are allowed")
    }
    guard (2...256).contains(halo) else {
      throw InvalidScan("a halo of \(halo) pixels")
    }
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

  /// The number of the sector that a pixel is in.
  package func number(x: Int, y: Int) -> Int { y / side * columns + x / side }

  /// A sector with its halo.
  package func patch(_ number: Int) -> PixelRectangle { grown(self[number], by: halo) }

  /// A rectangle with a margin around it, as far as the image goes.
  package func grown(_ rectangle: PixelRectangle, by margin: Int) -> PixelRectangle {
    let (x, y) = (max(0, rectangle.x - margin), max(0, rectangle.y - margin))
    return PixelRectangle(
      x: x, y: y, width: min(width, rectangle.x + rectangle.width + margin) - x,
      height: min(height, rectangle.y + rectangle.height + margin) - y)
  }
}
