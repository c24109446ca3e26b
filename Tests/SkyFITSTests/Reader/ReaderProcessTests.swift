import Foundation
import SkyDetection
import SkyTestSupport
import Testing

@testable import SkyFITS

/// Many images, read by a few processes.
@Suite("Readers of many images", .timeLimit(.minutes(20)))
struct ReaderProcessTests {
  let folder: TemporaryFolder
  private static let whole = PixelRectangle(x: 0, y: 0, width: 4, height: 3)

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A gzipped image, whose pixels only a reader can read. All have one value.
  private func packed(_ value: UInt16) throws -> String {
    let path = folder.file("\(value).fits.gz")
    try CFITSIOImage.write(
      [CFITSIOImage(width: 4, pixels: [UInt16](repeating: value, count: 12))], to: path)
    return path
  }

  /// An image whose pixels this process reads itself.
  private func plain(_ value: UInt8) throws -> String {
    let unit = FITSUnit(bitpix: 8, axes: [4, 3], data: [UInt8](repeating: value, count: 12))
    return try folder.write("\(value).fits", unit.bytes)
  }

  /// A file that ends each reader that opens it. Its length tells it from the others.
  private func hostile() throws -> String {
    try folder.write("hostile.fits", [UInt8](repeating: 0, count: 777))
  }

  private static func isHostile(_ request: ReaderRequest) -> Bool {
    switch request {
    case .open(_, size: 777, _, _), .list(size: 777): true
    default: false
    }
  }

  private func first(_ image: FITSImage) async throws -> Float {
    try await image.values(in: Self.whole)[0]
  }

  @Test("A file that ends its reader costs no image but itself")
  func hostileFile() async throws {
    let source = StandInSource(isFatal: Self.isHostile)
    let reader = ReaderProcess(source)
    var images: [FITSImage] = []
    for value: UInt16 in 1...4 {
      images.append(try await FITSImage.open(packed(value), reader: reader))
      let path = try hostile()
      let error = try await #require(throws: FITSError.self) {
        _ = try await FITSImage.open(path, reader: reader)
      }
      #expect(error.code == .readerEnded && error.path == path)
      #expect(error.fault.contains("reading it ended the reader"))
      await #expect(throws: error) { try await FITSImage.images(in: path, reader: reader) }
      for (index, image) in images.enumerated() {
        #expect(try await first(image) == Float(index + 1))
      }
    }
    // Each of the eight ended one reader, and two were there at a time.
    #expect((9...10).contains(source.log.readers))
  }

  @Test("A plain image has its sky positions after another file ended its reader")
  func plainImage() async throws {
    let reader = ReaderProcess(StandInSource(isFatal: Self.isHostile))
    let image = try await FITSImage.open(plain(7), reader: reader)
    let path = try hostile()
    await #expect(throws: FITSError.self) { _ = try await FITSImage.open(path, reader: reader) }
    await #expect(throws: NoSkyPositions.self) { try await image.checkSky() }
    #expect(try await first(image) == 7)
  }

  @Test("An image that ended its reader is not tried again")
  func once() async throws {
    let source = StandInSource(isFatal: { if case .read = $0 { true } else { false } })
    let reader = ReaderProcess(source)
    let image = try await FITSImage.open(packed(1), reader: reader)
    let error = try await #require(throws: FITSError.self) { try await first(image) }
    #expect(error.code == .readerEnded)
    await #expect(throws: error) { try await first(image) }
    await #expect(throws: error) { try await image.checkSky() }
    #expect(source.log.readers == 1)
  }

  @Test("An image whose file has changed is not read by another reader")
  func changed() async throws {
    let reader = ReaderProcess(StandInSource(isFatal: Self.isHostile))
    let unit = FITSUnit(
      bitpix: 32, axes: [4, 3], data: bigEndian([Int32](repeating: 1, count: 12)))
    let path = try folder.write("changing.fits", unit.bytes)
    let image = try await FITSImage.open(path, reader: reader)
    // It keeps the second reader busy, so that the first one gets the hostile file.
    let neighbour = try await FITSImage.open(packed(1), reader: reader)
    let other = FITSUnit(bitpix: 32, axes: [3, 4], data: unit.data)
    try #require(FileHandle(forWritingAtPath: path)).write(Data(other.bytes))
    let hostile = try hostile()
    await #expect(throws: FITSError.self) { _ = try await FITSImage.open(hostile, reader: reader) }
    let error = await #expect(throws: FITSError.self) { try await first(image) }
    #expect(error?.fault == "has changed since it was opened")
    #expect(try await first(neighbour) == 1)
  }

  @Test("Images that are no longer used are closed in the reader")
  func closed() async throws {
    let source = StandInSource()
    let reader = ReaderProcess(source)
    let paths = [try plain(1), try packed(2)]
    for round in 0..<2000 {
      let image = try await FITSImage.open(paths[round % 2], reader: reader)
      #expect(try await first(image) == Float(round % 2 + 1))
    }
    // The last ones are closed before the next requests at the latest.
    #expect(source.log.open <= 2)
    #expect(source.log.readers <= 2)
  }

  @Test("Images that only readers can decode are spread over two")
  func spread() async throws {
    let source = StandInSource()
    let reader = ReaderProcess(source)
    var images: [FITSImage] = []
    for value: UInt16 in 1...4 {
      images.append(try await FITSImage.open(packed(value), reader: reader))
    }
    #expect(source.log.readers == 2)
    #expect(source.log.places.values.sorted() == [1, 1, 2, 2])
  }

  @Test("Plain images need one reader")
  func unspread() async throws {
    let source = StandInSource()
    let reader = ReaderProcess(source)
    var images: [FITSImage] = []
    for value: UInt8 in 1...4 {
      images.append(try await FITSImage.open(plain(value), reader: reader))
    }
    #expect(source.log.readers == 1)
  }

  @Test("A reader lists a file's images")
  func list() async throws {
    let reader = ReaderProcess(StandInSource())
    let path = try packed(3)
    let listed = try await FITSImage.images(in: path, reader: reader)
    #expect(listed == [FITSImageUnit(number: 0, name: nil, width: 4, height: 3)])
    let text = try folder.write("text", Array("no image".utf8))
    let error = await #expect(throws: FITSError.self) {
      try await FITSImage.images(in: text, reader: reader)
    }
    #expect(error?.code == .notFITS && error?.path == text)
  }

  @Test("After the end nothing is read, and no reader started")
  func ended() async throws {
    let source = StandInSource()
    let reader = ReaderProcess(source)
    let image = try await FITSImage.open(packed(1), reader: reader)
    reader.end()
    for _ in 0..<2 {
      let error = await #expect(throws: FITSError.self) { try await first(image) }
      #expect(error?.fault.contains("its reader was ended") == true)
    }
    #expect(source.log.readers == 1)
  }
}
