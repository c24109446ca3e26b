import Foundation
import SkyDetection
import SkyTestSupport
import Testing

@testable import SkyFITS

/// Files with several images, such as those of a camera with several chips.
@Suite("Files with several images")
struct SeveralImagesTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let empty = FITSUnit(bitpix: 8, axes: [], [("EXTEND", "T")], data: [])

  private static func chip(_ name: String, _ value: Int16, version: Int? = nil) -> FITSUnit {
    let version = version.map { [("EXTVER", "\($0)")] } ?? []
    return FITSUnit(
      extension: 16, axes: [2, 1], [("EXTNAME", "'\(name)'")] + version,
      data: bigEndian([value, value]))
  }

  private func write(_ units: FITSUnit...) throws -> String {
    try folder.write("mosaic.fits", units.flatMap(\.bytes))
  }

  private func value(_ path: String, _ choice: String?) async throws -> Float {
    let image = try await FITSImage.open(path, extension: choice)
    let rectangle = PixelRectangle(x: 0, y: 0, width: 1, height: 1)
    return image.coding.values(of: try await image.pixels(in: rectangle))[0]
  }

  @Test("A file with several images needs a choice")
  func choice() async throws {
    let path = try write(Self.empty, Self.chip("CCD1", 1), Self.chip("CCD2", 2))
    let error = await #expect(throws: FITSError.self) { _ = try await FITSImage.open(path) }
    #expect(error?.code == .severalImages)
    #expect(error?.fault.contains("has 2 images") == true)
    #expect(error?.fault.contains("[1] CCD1 2 × 1, [2] CCD2 2 × 1") == true)
    for (choice, expected) in [("1", 1), ("2", 2), ("CCD1", 1), ("ccd2", 2)] as [(String, Float)] {
      #expect(try await value(path, choice) == expected)
    }
  }

  @Test("The images of a file are listed with number, name and size")
  func list() async throws {
    let path = try write(Self.empty, Self.chip("CCD1", 1), Self.chip("CCD2", 2))
    #expect(
      try await FITSImage.images(in: path) == [
        FITSImageUnit(number: 1, name: "CCD1", width: 2, height: 1),
        FITSImageUnit(number: 2, name: "CCD2", width: 2, height: 1),
      ])
    let packed = try await FITSImage.images(in: writePacked())
    #expect(packed.map(\.number) == [1, 2] && packed.map(\.width) == [32, 48])
  }

  @Test("A file without images is not listed as empty, but refused")
  func emptyList() async throws {
    let path = try write(Self.empty)
    let error = await #expect(throws: FITSError.self) { try await FITSImage.images(in: path) }
    #expect(error?.code == .noImage && error?.path == path)
  }

  /// Packs a mosaic as fpack does: each chip is a table of tiles, after an empty primary unit.
  private func writePacked() throws -> String {
    let chips = [(1, 32), (2, 48)].map { chip, width in
      CFITSIOImage(
        width: width, pixels: [UInt16](repeating: UInt16(1000 * chip), count: width * 24),
        texts: ["EXTNAME": "CCD\(chip)"])
    }
    try CFITSIOImage.write(chips, to: folder.file("mosaic.fits.fz[compress]"))
    return folder.file("mosaic.fits.fz")
  }

  @Test("A packed mosaic needs a choice")
  func packed() async throws {
    let path = try writePacked()
    let error = await #expect(throws: FITSError.self) { _ = try await FITSImage.open(path) }
    #expect(error?.code == .severalImages)
    #expect(
      error?.fault.hasSuffix(
        "has 2 images, of which one at a time is scanned: "
          + "[1] CCD1 32 × 24, [2] CCD2 48 × 24") == true, "\(error?.description ?? "")")
    for (choice, expected) in [("1", 1000), ("CCD1", 1000), ("2", 2000), ("ccd2", 2000)] {
      #expect(try await value(path, choice) == Float(expected))
    }
    let second = try await FITSImage.open(path, extension: "2")
    #expect(second.width == 48 && second.extensionNumber == 2 && second.isOneOfSeveral)
  }

  @Test("Extensions count from 0, the primary unit")
  func numbers() async throws {
    let primary = FITSUnit(bitpix: 16, axes: [1, 1], data: bigEndian([7] as [Int16]))
    let path = try write(primary, Self.chip("CCD1", 1))
    #expect(try await value(path, "0") == 7)
    #expect(try await value(path, "1") == 1)
    #expect(try await FITSImage.open(path, extension: "1").extensionNumber == 1)
  }

  @Test("A version distinguishes extensions with the same name")
  func versions() async throws {
    let path = try write(
      Self.empty, Self.chip("SCI", 1, version: 1), Self.chip("SCI", 2, version: 2))
    #expect(try await value(path, "SCI,2") == 2)
    let error = await #expect(throws: FITSError.self) { _ = try await value(path, "SCI") }
    #expect(error?.code == .noSuchExtension)
    #expect(error?.fault.contains("[1] SCI,1 2 × 1, [2] SCI,2 2 × 1") == true)
  }

  @Test(
    "An extension without an image cannot be chosen",
    arguments: ["0", "3", "-1", "CCD", "CCD1,2"])
  func noImage(choice: String) async throws {
    let path = try write(Self.empty, Self.chip("CCD1", 1))
    let error = await #expect(throws: FITSError.self) { _ = try await value(path, choice) }
    #expect(error?.code == .noSuchExtension)
    #expect(error?.fault.contains("[1] CCD1 2 × 1") == true)
  }

  @Test("A file's only image is read from any unit")
  func oneImage() async throws {
    let path = try write(Self.empty, Self.chip("CCD1", 3))
    #expect(try await value(path, nil) == 3)
    #expect(try await value(path, "1") == 3)
    #expect(try await FITSImage.open(path).isOneOfSeveral == false)
  }

  @Test("An extension whose header is damaged is listed, since what is behind it cannot be found")
  func damaged() async throws {
    var damaged = Self.chip("CCD3", 3)
    damaged.cards[1] = damaged.cards[1].replacingOccurrences(of: "16", with: "17")
    let path = try write(
      Self.empty, Self.chip("CCD1", 1), Self.chip("CCD2", 2), damaged, Self.chip("CCD4", 4))
    let images = try await FITSImage.images(in: path)
    #expect(images.map(\.number) == [1, 2, 3] && images.map(\.isDamaged) == [false, false, true])
    await #expect(throws: FITSError.self) { try await FITSImage.open(path, extension: "3") }
  }

  @Test(
    "Units without a plane of pixels are passed over, and a table of text is told of the last image"
  )
  func otherUnits() async throws {
    let line = FITSUnit(extension: 16, axes: [3], data: bigEndian([1, 2, 3] as [Int16]))
    let cube = FITSUnit(extension: 16, axes: [2, 1, 2], data: bigEndian([1, 2, 3, 4] as [Int16]))
    var table = FITSUnit(
      extension: 8, axes: [4, 2], [("TFIELDS", "0")], data: Array("text1234".utf8))
    table.cards[0] = "XTENSION= 'TABLE   '".padding(toLength: 80, withPad: " ", startingAt: 0)
    let path = try write(Self.empty, Self.chip("A", 1), line, cube, table, Self.chip("B", 2))
    let images = try await FITSImage.images(in: path)
    #expect(images.map(\.number) == [1, 3, 5] && images.allSatisfy { !$0.isDamaged })
    var told: [Bool] = []
    for image in images {
      told.append(try await FITSImage.open(path, extension: "\(image.number)").isBesideTextTable)
    }
    #expect(told == [false, false, true])
  }

  @Test(
    "An extension that lost its first card, or lies behind one that lost its header, is damaged",
    arguments: [80, 2880])
  func overwritten(bytes: Int) async throws {
    var chip = Self.chip("CCD2", 2).bytes
    chip.replaceSubrange(0..<bytes, with: repeatElement(0, count: bytes))
    let first = Self.empty.bytes + Self.chip("CCD1", 1).bytes
    let path = try folder.write("zeros.fits", first + chip + Self.chip("CCD3", 3).bytes)
    let images = try await FITSImage.images(in: path)
    #expect(images.map(\.number) == [1, 2] && images.map(\.isDamaged) == [false, true])
    #expect(try await FITSImage.open(path).isBeforeDamage)
  }

  @Test("Comments stay at their places in the header")
  func comments() async throws {
    var chip = Self.chip("CCD1", 1)
    func card(_ text: String) -> String { text.padding(toLength: 80, withPad: " ", startingAt: 0) }
    chip.cards += [
      card("COMMENT one"), card("GAIN    =                  1.5"), card("HISTORY two"),
      card("        three"), card("CTYPE1  = 'RA---TAN'"),
    ]
    let header = try await FITSImage.open(write(Self.empty, chip)).header
    let last = cards(of: header).suffix(6).map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(
      last == [
        "COMMENT one", "GAIN    =                  1.5", "HISTORY two", "three",
        "CTYPE1  = 'RA---TAN'", "END",
      ])
    #expect(cards(of: withoutComments(header)).count == cards(of: header).count - 3)
  }

  @Test("Damage behind the only image does no harm")
  func damagedTail() async throws {
    let bytes = Self.empty.bytes + Self.chip("CCD1", 3).bytes
    for (rest, leftOut) in [
      ([UInt8](repeating: 0, count: 100), []), ([UInt8](repeating: 32, count: 2880), []),
      (Array(Self.chip("CCD2", 4).bytes.prefix(200)), .damage),
      ([UInt8](repeating: 65, count: 5760), .otherBytes),
    ] as [([UInt8], FITSLeftOut)] {
      let path = try folder.write("tail.fits", bytes + rest)
      #expect(try await value(path, nil) == 3)
      #expect(try await FITSImage.open(path).layout.leftOut == leftOut)
    }
  }
}
