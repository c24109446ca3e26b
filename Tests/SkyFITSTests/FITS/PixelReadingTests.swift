import SkyDetection
import SkyTestSupport
import Testing

@testable import SkyFITS

@Suite("Reading pixels")
struct PixelReadingTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// The values of a whole image, and the coding of its pixels.
  private func read(_ units: FITSUnit...) async throws -> (PixelCoding, [Float]) {
    let path = try folder.write("image.fits", units.flatMap(\.bytes))
    return try await read(path)
  }

  private func read(_ path: String) async throws -> (PixelCoding, [Float]) {
    let image = try await FITSImage.open(path)
    let pixels = try await image.pixels(
      in: PixelRectangle(x: 0, y: 0, width: image.width, height: image.height))
    return (image.coding, image.coding.values(of: pixels))
  }

  @Test("Unsigned 16-bit integers are sent as they are stored")
  func unsigned() async throws {
    let data = bigEndian([-32768, 0, 32767, 1] as [Int16])
    let (coding, values) = try await read(
      FITSUnit(bitpix: 16, axes: [2, 2], [("BSCALE", "1"), ("BZERO", "32768")], data: data))
    #expect(coding == PixelCoding(format: .int16, scale: 1, zero: 32768))
    #expect(values == [0, 32768, 65535, 32769])
  }

  @Test("Scale and zero may be fractions")
  func fractions() async throws {
    let data = bigEndian([-10, 10] as [Int16])
    let (_, values) = try await read(
      FITSUnit(bitpix: 16, axes: [2, 1], [("BSCALE", "0.25"), ("BZERO", "100.5")], data: data))
    #expect(values == [98, 103])
  }

  @Test("Blank integers have no value")
  func blank() async throws {
    let data = bigEndian([7, -99, 8] as [Int16])
    let (coding, values) = try await read(
      FITSUnit(bitpix: 16, axes: [3, 1], [("BLANK", "-99")], data: data))
    #expect(coding.blank == -99)
    #expect(values[0] == 7 && values[1].isNaN && values[2] == 8)
  }

  @Test("Bytes are sent as bytes")
  func bytes() async throws {
    let (coding, values) = try await read(
      FITSUnit(bitpix: 8, axes: [3, 1], [("BLANK", "255")], data: [0, 254, 255]))
    #expect(coding == PixelCoding(format: .uint8, blank: 255))
    #expect(values[0] == 0 && values[1] == 254 && values[2].isNaN)
  }

  @Test("32-bit integers are scaled and sent as floats")
  func wideIntegers() async throws {
    let data = bigEndian([2_000_000, -5, 3] as [Int32])
    let (coding, values) = try await read(
      FITSUnit(bitpix: 32, axes: [3, 1], [("BSCALE", "0.5"), ("BLANK", "3")], data: data))
    #expect(coding == PixelCoding(format: .float32))
    #expect(values[0] == 1_000_000 && values[1] == -2.5 && values[2].isNaN)
  }

  @Test("Floats that are not finite have no value")
  func notNumbers() async throws {
    let data = bigEndian([1.5, .nan, .infinity, -2] as [Float])
    let (coding, values) = try await read(FITSUnit(bitpix: -32, axes: [4, 1], data: data))
    #expect(coding == PixelCoding(format: .float32))
    #expect(values[0] == 1.5 && values[1].isNaN && values[2].isNaN && values[3] == -2)
  }

  /// SExtractor's mark for a pixel without a value is -1e30.
  @Test("Values from SExtractor's mark to the largest float count")
  func largeFloats() async throws {
    let data = bigEndian([3e38, 1.1e30, -9e29, -1e30, -3e38, -.infinity] as [Float])
    let (_, values) = try await read(FITSUnit(bitpix: -32, axes: [6, 1], data: data))
    #expect(values[0] == 3e38 && values[1] == 1.1e30 && values[2] == -9e29)
    #expect(values[3...].allSatisfy { $0.isNaN })
  }

  @Test("A double beyond the range of floats has no value, and other pixels are read")
  func doubles() async throws {
    let data = bigEndian([1e300, 0.1, 5, 6] as [Double])
    let (_, values) = try await read(FITSUnit(bitpix: -64, axes: [2, 2], data: data))
    #expect(values[0].isNaN && values[1] == 0.1 && values[2] == 5 && values[3] == 6)
  }

  @Test("Axes of length 1 after the second are ignored")
  func extraAxes() async throws {
    let data = bigEndian([1, 2, 3, 4, 5, 6] as [Int16])
    let (_, values) = try await read(FITSUnit(bitpix: 16, axes: [3, 2, 1, 1], data: data))
    #expect(values == [1, 2, 3, 4, 5, 6])
  }

  @Test("An image in an extension is read")
  func extensionUnit() async throws {
    let empty = FITSUnit(bitpix: 8, axes: [], [("EXTEND", "T")], data: [])
    let image = FITSUnit(extension: -32, axes: [2, 1], data: bigEndian([1, 2] as [Float]))
    let (_, values) = try await read(empty, image)
    #expect(values == [1, 2])
  }

  @Test("Any rectangle within the image is read")
  func rectangle() async throws {
    let numbers = (0..<70).map { Int16($0) }
    let path = try folder.write(
      "image.fits", FITSUnit(bitpix: 16, axes: [10, 7], data: bigEndian(numbers)).bytes)
    let image = try await FITSImage.open(path)
    func values(_ x: Int, _ y: Int, _ width: Int, _ height: Int) async throws -> [Float] {
      let rectangle = PixelRectangle(x: x, y: y, width: width, height: height)
      return image.coding.values(of: try await image.pixels(in: rectangle))
    }
    #expect(try await values(3, 2, 2, 3) == [23, 24, 33, 34, 43, 44])
    // From the band of rows that was read before, and from another one.
    #expect(try await values(8, 3, 2, 2) == [38, 39, 48, 49])
    #expect(try await values(0, 6, 2, 1) == [60, 61])
    await #expect(throws: InvalidScan.self) { _ = try await values(9, 0, 2, 1) }
    await #expect(throws: InvalidScan.self) { _ = try await values(0, 0, 0, 1) }
    await #expect(throws: InvalidScan.self) { _ = try await values(-1, 0, 1, 1) }
    await #expect(throws: InvalidScan.self) { _ = try await values(Int.max, 0, Int.max, 1) }
  }

  @Test(
    "A file name has no special meaning",
    arguments: ["image.fits[1]", "image(2).fits", "a+b;c&d.fits", "!image.fits", "-"])
  func name(_ name: String) async throws {
    let unit = FITSUnit(bitpix: 16, axes: [2, 1], data: bigEndian([4, 5] as [Int16]))
    let path = try folder.write(name, unit.bytes)
    #expect(try await read(path).1 == [4, 5])
  }
}
