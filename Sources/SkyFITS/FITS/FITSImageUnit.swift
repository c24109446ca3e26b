import SkyDetection

/// One of the images of a FITS file that can be scanned: an image with pixels and at least two axes.
public struct FITSImageUnit: Hashable, Sendable {
  /// The number of the header and data unit; 0 is the primary unit, as in CFITSIO and DS9. As a
  /// text, it chooses the image in ``FITSImage/open(_:extension:reader:)``.
  public let number: Int
  /// EXTNAME; `nil` if the header lacks it.
  public let name: String?
  /// The number of columns (NAXIS1).
  public let width: Int
  /// The number of rows (NAXIS2).
  public let height: Int
  /// Whether it is an extension whose header cannot be read. Then it is the last one that is listed, because what
  /// is behind it cannot be found, and it cannot be opened.
  public let isDamaged: Bool

  /// The largest number of images that are listed for one file.
  static let mostListed = 100_000

  init(number: Int, name: String?, width: Int, height: Int, isDamaged: Bool = false) {
    (self.number, self.name, self.width, self.height) = (number, name, width, height)
    self.isDamaged = isDamaged
  }
}

extension FITSImageUnit {
  /// More than the longest value that a card has, in bytes of UTF-8.
  private static let nameBytes = 1024
  /// More than any side, and products of two do not overflow.
  private static let longestSide = Int(Int32.max)

  func write(to writer: inout ByteWriter) {
    for value in [number, width, height] { writer.write(Int64(value)) }
    writer.write(UInt8(isDamaged ? 1 : 0))
    writer.write(UInt8(name == nil ? 0 : 1))
    writer.write(name ?? "")
  }

  /// - Throws: `InvalidScan` if there is no such image.
  init(_ reader: inout ByteReader) throws {
    func whole(_ range: ClosedRange<Int>) throws -> Int {
      let number = Int(try reader.read(Int64.self))
      guard range.contains(number) else { throw InvalidScan("an image with the number \(number)") }
      return number
    }
    let number = try whole(0...Int(Int32.max))
    let (width, height) = (try whole(1...Self.longestSide), try whole(1...Self.longestSide))
    let isDamaged = try reader.read(UInt8.self) != 0
    let isNamed = try reader.read(UInt8.self) != 0
    let name = try reader.text(atMost: Self.nameBytes).inOneLine
    self.init(
      number: number, name: isNamed ? name : nil, width: width, height: height,
      isDamaged: isDamaged)
  }
}
