// What this file codes is frozen by the version of `SourceScan.kind`.

/// How an image is cut into sectors: squares that do not overlap, numbered row by row from the
/// first pixel. Sectors at the far borders are smaller.
///
/// A system finds a sector's sources in the sector's *patch*: the sector with a margin around it,
/// the *halo*, cut at the edge of the image.
public struct SectorGrid: Codable, Hashable, Sendable {
  /// The longest side of a sector, in pixels. A scan of such a sector takes some hundreds of MiB,
  /// and checks often enough whether it was cancelled: the conversion of bytes to values is not
  /// interrupted.
  public static let maximumSide = 4096
  /// The longest side of a patch, in pixels.
  package static let maximumPatchSide = 4608
  /// The longest side of an image, in pixels.
  package static let maximumImageSide = 1 << 20
  /// The largest number of meshes along a sector's side, so that their estimates fit into a
  /// message.
  static let maximumMeshes = 256

  /// A good side for an image's sectors, in pixels: larger sectors cost less per pixel, and more
  /// sectors keep more systems busy until the end.
  ///
  /// - Parameters:
  ///   - width: the image's width, in pixels.
  ///   - height: the image's height, in pixels.
  ///   - mesh: the size of the background's meshes. The result is a multiple of its sides.
  public static func defaultSide(width: Int, height: Int, mesh: DetectionSettings.MeshSize = 64)
    -> Int
  {
    let isLarge = width * height >= 64 * 1024 * 1024
    let side = min(maximumMeshes * mesh.shorterSide, isLarge ? 1024 : 512)
    return max(1, side / mesh.unit) * mesh.unit
  }

  /// The side of a sector that holds the whole image; `nil` if no sector can.
  package static func wholeSide(width: Int, height: Int, mesh: DetectionSettings.MeshSize = 64)
    -> Int?
  {
    let side = (max(width, height) + mesh.unit - 1) / mesh.unit * mesh.unit
    return side <= maximumSide && side / mesh.shorterSide <= maximumMeshes ? side : nil
  }

  /// The widest halo around sectors of a side, in pixels, so that no patch is too large: 256 or more.
  package static func widestHalo(side: Int) -> Int { (maximumPatchSide - side) / 2 }

  /// A good halo for sectors of a side, in pixels.
  ///
  /// A source whose measures need pixels outside of its sector's patch is scanned in a patch of its
  /// own. Where circles are so wide that most sources are, a wider halo costs less.
  ///
  /// - Parameter reach: the distance from a source up to which its measures need pixels.
  package static func halo(side: Int, reach: Int) -> Int {
    reach <= 4 * usualHalo + 16 ? usualHalo : min(widestHalo(side: side), reach + usualHalo)
  }

  /// The halo without very wide circles, in pixels.
  public static let usualHalo = 32

  /// The image's size, in pixels.
  public let width: Int
  public let height: Int
  /// The side of a sector and the width of the halo, in pixels.
  public let side: Int
  public let halo: Int

  /// - Parameters:
  ///   - width: the image's width, in pixels.
  ///   - height: the image's height, in pixels.
  ///   - side: the side of a sector, in pixels: a multiple of the sides of `mesh`, so that the meshes
  ///     are the same for every side.
  ///   - halo: the width of the halo, in pixels: from 2 to `widestHalo(side:)`.
  ///   - mesh: the size of the background's meshes.
  /// - Throws: ``InvalidScan`` if a number is out of its range.
  public init(
    width: Int, height: Int, side: Int, halo: Int = usualHalo, mesh: DetectionSettings.MeshSize = 64
  ) throws {
    self.width = width
    self.height = height
    self.side = side
    self.halo = halo
    try check(mesh: mesh)
  }

  /// A grid with one sector and no halo, for an image of any size.
  init(uncutWidth width: Int, height: Int) {
    self.width = width
    self.height = height
    side = max(width, height)
    halo = 0
  }

  /// - Throws: ``InvalidScan`` if a number is out of its range.
  package func check(mesh: DetectionSettings.MeshSize) throws {
    try mesh.check()
    let sides = 1...Self.maximumImageSide
    guard sides.contains(width), sides.contains(height) else {
      throw InvalidScan("an image of \(width) × \(height) pixels")
    }
    guard side > 0, side <= Self.maximumSide, side.isMultiple(of: mesh.unit) else {
      throw InvalidScan(
        "a sector side of \(side) pixels; multiples of \(mesh.unit) from \(mesh.unit) to "
          + "\(Self.maximumSide) are allowed")
    }
    guard side / mesh.shorterSide <= Self.maximumMeshes else {
      throw InvalidScan(
        "a sector side of \(side) pixels with meshes of \(mesh); at most \(Self.maximumMeshes) "
          + "meshes a side are allowed")
    }
    guard (2...Self.widestHalo(side: side)).contains(halo) else {
      throw InvalidScan("a halo of \(halo) pixels")
    }
  }

  /// The number of columns and rows of sectors.
  public var columns: Int { (width + side - 1) / side }
  public var rows: Int { (height + side - 1) / side }
  /// The number of sectors.
  public var count: Int { columns * rows }

  /// The rectangle of a sector; the number must be from 0 to `count - 1`.
  public subscript(number: Int) -> PixelRectangle {
    precondition((0..<count).contains(number), "sector \(number) of \(count)")
    let x = number % columns * side
    let y = number / columns * side
    return PixelRectangle(x: x, y: y, width: min(side, width - x), height: min(side, height - y))
  }

  /// The number of the sector that holds a pixel.
  package func number(x: Int, y: Int) -> Int { y / side * columns + x / side }

  /// The rectangle of a sector and its halo.
  package func patch(_ number: Int) -> PixelRectangle { grown(self[number], by: halo) }

  /// A rectangle with a margin around it, cut at the edge of the image.
  package func grown(_ rectangle: PixelRectangle, by margin: Int) -> PixelRectangle {
    let (x, y) = (max(0, rectangle.x - margin), max(0, rectangle.y - margin))
    return PixelRectangle(
      x: x, y: y, width: min(width, rectangle.x + rectangle.width + margin) - x,
      height: min(height, rectangle.y + rectangle.height + margin) - y)
  }
}
