import Foundation
import SkyDetection
import SkyTestSupport
import Testing

@testable import SkyFITS

/// The messages between a process and its reader.
@Suite("Messages to and from a reader")
struct ReaderMessageTests {
  private static let layout = FITSLayout(
    extensionNumber: 2, isOneOfSeveral: true, contentSize: 28800, axisCount: 2, width: 100,
    height: 50, bitpix: 16, plainStart: 5760,
    coding: PixelCoding(format: .int16, scale: 1, zero: 32768, blank: -1),
    header: String(repeating: " ", count: 160), hasSums: true, isUnfilled: true,
    leftOut: [.damage, .textTable],
    replacingCards: String(repeating: "A", count: 80))

  private static let answers: [ReaderAnswer] = [
    .ready(0), .opened(layout), .done, .listed([]),
    .sums(FITSSums(data: .wrong, unit: .right)), .sums(FITSSums(data: .absent, unit: .wrong)),
    .listed([
      FITSImageUnit(number: 0, name: nil, width: 1, height: 2),
      FITSImageUnit(number: 7, name: "CCD 7", width: 30, height: 40),
      FITSImageUnit(number: 8, name: nil, width: 1, height: 1, isDamaged: true),
    ]), .noSky(.noCelestialCoordinates),
    .noSky(.otherCoordinates("galactic")), .noSky(.otherFrame("FK4", equinox: 1950)),
    .noSky(.otherFrame("FK5", equinox: nil)), .noSky(.invalid("are odd")),
    .positions([SkyPosition(rightAscension: 350, declination: -1), nil]),
    .world(
      WorldPlaces(
        system: WorldSystem(axes: .latitudeFirst, equinox: 1950, isFK4: true),
        positions: [WorldPosition(x: -1, y: 350), nil])),
    .world(
      WorldPlaces(
        system: WorldSystem(axes: .other), positions: [WorldPosition(x: 1e30, y: -700)])),
    .failed(FITSError(.truncated, path: "", fault: "is cut off", nextStep: "fetch it again")),
    .probed([ReaderAnswer.Trial(operation: "fork", error: EPERM)]),
  ]

  @Test(
    "An answer is the same after it was sent",
    arguments: answers)
  func answer(answer: ReaderAnswer) throws {
    #expect(try ReaderAnswer(answer.bytes) == answer)
  }

  @Test(
    "An answer that is too short or too long is refused",
    arguments: answers)
  func wrongLength(answer: ReaderAnswer) {
    let bytes = answer.bytes
    for count in 0..<bytes.count {
      #expect(throws: InvalidScan.self) { try ReaderAnswer(bytes.prefix(count)) }
    }
    #expect(throws: InvalidScan.self) { try ReaderAnswer(bytes + [0]) }
  }

  @Test("A request is the same after it was sent")
  func request() throws {
    let rectangle = PixelRectangle(x: 1, y: 2, width: 3, height: 4)
    for request: ReaderRequest in [
      .open(image: 1, size: 2880, extension: nil, headerFile: nil),
      .open(image: 1, size: 2880, extension: "CCD2", headerFile: "CRVAL1  = 5\n"),
      .checkSums(image: 4),
      .read(image: 1, rectangle), .checkSky(image: 2),
      .sky(image: 2, [PixelPosition(x: 1.5, y: -2), PixelPosition(x: 7, y: 8)]),
      .world(image: 5, [PixelPosition(x: 3, y: 4)]),
      .probeSandbox(file: "/etc/passwd"), .list(size: 2880), .close(image: 3),
    ] {
      #expect(try ReaderRequest(request.bytes) == request)
    }
  }

  /// Layouts that the reader of a hostile file may send.
  @Test(
    "An impossible layout is refused",
    arguments: [
      { $0.width = 0 }, { $0.width = FITSImage.maximumSide + 1 }, { $0.height = -1 },
      { $0.axisCount = 1 }, { $0.axisCount = 1 << 40 }, { $0.bitpix = 1 << 20 },
      { $0.bitpix = 7 }, { $0.contentSize = -1 }, { $0.contentSize = .max },
      { $0.plainStart = -2 }, { $0.plainStart = 28801 },
      { $0.coding.scale = .nan }, { $0.coding.zero = .infinity },
      { $0.header = "a\u{1B}[2J" }, { $0.replacingCards = "a\u{1B}[2J" },
      { $0.planeCount = 0 }, { $0.planeCount = .max }, { $0.extensionNumber = -1 },
    ] as [@Sendable (inout FITSLayout) -> Void])
  func impossibleLayout(change: @Sendable (inout FITSLayout) -> Void) {
    var layout = Self.layout
    change(&layout)
    #expect(throws: InvalidScan.self) { try ReaderAnswer(ReaderAnswer.opened(layout).bytes) }
  }

  @Test(
    "An impossible list of images is refused",
    arguments: [(-1, 1, 1), (1, 0, 1), (1, 1, -1), (1, 1 << 40, 1), (1 << 40, 1, 1)])
  func impossibleList(number: Int, width: Int, height: Int) {
    let unit = FITSImageUnit(number: number, name: nil, width: width, height: height)
    #expect(throws: InvalidScan.self) { try ReaderAnswer(ReaderAnswer.listed([unit]).bytes) }
  }

  @Test("A layout is impossible if the file cannot hold the image")
  func impossibleSize() {
    var layout = Self.layout
    #expect(layout.isPossible(fileSize: 28800))
    // A gzipped file whose bytes are all equal can be so small.
    #expect(layout.isPossible(fileSize: 30))
    layout.contentSize = 1 << 40
    #expect(!layout.isPossible(fileSize: 28800))
    (layout.width, layout.height) = (FITSImage.maximumSide, FITSImage.maximumSide)
    layout.contentSize = 28800
    #expect(!layout.isPossible(fileSize: 28800))
  }

  /// An error may list forty images with long names; it must not be refused as hostile.
  @Test(
    "An error of any length arrives",
    arguments: ["CCD", "×", "🔭"])
  func longError(name: String) throws {
    let fault = "has images: " + String(repeating: name, count: 5000)
    let error = FITSError(.severalImages, path: "", fault: fault, nextStep: "choose one")
    guard case .failed(let came) = try ReaderAnswer(ReaderAnswer.failed(error).bytes) else {
      throw InvalidScan("no error")
    }
    #expect(came.code == .severalImages && came.nextStep == "choose one")
    #expect(came.fault.hasSuffix("…") && fault.hasPrefix(came.fault.dropLast()))
    #expect(came.fault.utf8.count > 4000)
  }

  @Test("A position outside of the sky is refused")
  func position() {
    let position = SkyPosition(rightAscension: 1e9, declination: 0)
    #expect(throws: InvalidScan.self) {
      try ReaderAnswer(ReaderAnswer.positions([position]).bytes)
    }
  }

  @Test(
    "Impossible world coordinates are refused",
    arguments: [
      (WorldSystem(axes: .longitudeFirst), WorldPosition(x: -1, y: 0)),
      (WorldSystem(axes: .longitudeFirst), WorldPosition(x: 0, y: 91)),
      (WorldSystem(axes: .latitudeFirst), WorldPosition(x: 91, y: 0)),
      (WorldSystem(axes: .other), WorldPosition(x: .infinity, y: 0)),
      (WorldSystem(axes: .other), WorldPosition(x: .nan, y: 0)),
      (WorldSystem(axes: .other, equinox: .nan), WorldPosition(x: 0, y: 0)),
    ])
  func world(system: WorldSystem, position: WorldPosition) {
    let places = WorldPlaces(system: system, positions: [position])
    #expect(throws: InvalidScan.self) { try ReaderAnswer(ReaderAnswer.world(places).bytes) }
  }

  @Test("An error's control characters are replaced")
  func controlCharacters() throws {
    let error = FITSError(
      .noImage, path: "", fault: "has\u{1B}[2J an\r\nimage \u{202E}5 × 4", nextStep: "\u{9B}go")
    let answer = try ReaderAnswer(ReaderAnswer.failed(error).bytes)
    #expect(
      answer
        == .failed(
          FITSError(.noImage, path: "", fault: "has?[2J an??image ?5 × 4", nextStep: "?go")))
  }
}
