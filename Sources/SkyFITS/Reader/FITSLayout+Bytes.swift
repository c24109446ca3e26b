import SkyDetection

extension FITSLayout {
  func write(to writer: inout ByteWriter) {
    for number in [extensionNumber, axisCount, planeCount, width, height, bitpix, contentSize] {
      writer.write(Int64(number))
    }
    writer.write(Int64(plainStart ?? -1))
    writer.write(UInt8(isOneOfSeveral ? 1 : 0))
    writer.write(UInt8(hasSums ? 1 : 0))
    writer.write(UInt8(isUnfilled ? 1 : 0))
    writer.write(leftOut.rawValue)
    writer.write(coding.format.rawValue)
    writer.write(coding.scale)
    writer.write(coding.zero)
    writer.write(UInt8(coding.blank == nil ? 0 : 1))
    writer.write(Int64(coding.blank ?? 0))
    writer.write(header)
    writer.write(replacingCards)
  }

  /// - Throws: ``InvalidScan`` if no image can have this layout.
  init(_ reader: inout ByteReader) throws {
    func whole(_ range: ClosedRange<Int>) throws -> Int {
      let number = Int(try reader.read(Int64.self))
      guard range.contains(number) else {
        throw InvalidScan("an image layout with the number \(number), which is out of range")
      }
      return number
    }
    let side = 1...FITSImage.maximumSide
    extensionNumber = try whole(0...Int(Int32.max))
    axisCount = try whole(2...999)
    planeCount = try whole(1...Self.mostPlanes)
    (width, height) = (try whole(side), try whole(side))
    bitpix = try whole(-64...64)
    guard Self.pixelTypes.contains(bitpix) else { throw InvalidScan("pixels of \(bitpix) bits") }
    // The limit is more than any file has, and sums with it do not overflow.
    contentSize = try whole(0...1 << 56)
    let start = try whole(-1...contentSize)
    plainStart = start < 0 ? nil : start
    isOneOfSeveral = try reader.read(UInt8.self) != 0
    hasSums = try reader.read(UInt8.self) != 0
    isUnfilled = try reader.read(UInt8.self) != 0
    leftOut = FITSLeftOut(rawValue: try reader.read(UInt8.self))
    guard let format = PixelCoding.Format(rawValue: try reader.text(atMost: 16)) else {
      throw InvalidScan("pixels of an unknown format")
    }
    let (scale, zero) = (try reader.double(), try reader.double())
    guard scale.isFinite, zero.isFinite else {
      throw InvalidScan("pixels whose scale is not finite")
    }
    let hasBlank = try reader.read(UInt8.self) != 0
    let blank = Int(try reader.read(Int64.self))
    coding = PixelCoding(format: format, scale: scale, zero: zero, blank: hasBlank ? blank : nil)
    header = try reader.text(atMost: ReaderLimits.header)
    replacingCards = try reader.text(atMost: ReaderLimits.header)
    guard (header + replacingCards).utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else {
      throw InvalidScan("a header that is not printable ASCII")
    }
  }
}
