import Foundation
import SkyDetection
import SkyTestSupport
import Testing

@testable import SkyFITS

/// What a process and its reader say to each other.
@Suite struct ReaderMessageTests {
  private static let layout = FITSLayout(
    extensionNumber: 2, isOneOfSeveral: true, contentSize: 28800, axisCount: 2, width: 100,
    height: 50, bitpix: 16, plainStart: 5760,
    coding: PixelCoding(format: .int16, scale: 1, zero: 32768, blank: -1),
    header: String(repeating: " ", count: 160))

  private static let answers: [ReaderAnswer] = [
    .ready(0), .opened(layout), .done, .noSky(.noCelestialCoordinates),
    .noSky(.otherCoordinates("galactic")), .noSky(.otherFrame("FK4", equinox: 1950)),
    .noSky(.otherFrame("FK5", equinox: nil)), .noSky(.invalid("are odd")),
    .positions([SkyPosition(rightAscension: 350, declination: -1), nil]),
    .failed(FITSError(.truncated, path: "", fault: "is cut off", nextStep: "fetch it again")),
    .tried([ReaderAnswer.Trial(deed: "fork", error: EPERM)]),
  ]

  @Test(arguments: answers)
  func anAnswerComesAsItWent(answer: ReaderAnswer) throws {
    #expect(try ReaderAnswer(answer.bytes) == answer)
  }

  @Test(arguments: answers)
  func anAnswerThatIsCutOffOrTooLongIsRefused(answer: ReaderAnswer) {
    let bytes = answer.bytes
    for count in 0..<bytes.count {
      #expect(throws: InvalidScan.self) { try ReaderAnswer(bytes.prefix(count)) }
    }
    #expect(throws: InvalidScan.self) { try ReaderAnswer(bytes + [0]) }
  }

  @Test func aRequestComesAsItWent() throws {
    let rectangle = PixelRectangle(x: 1, y: 2, width: 3, height: 4)
    for request: ReaderRequest in [
      .open(image: 1, size: 2880, extension: nil), .open(image: 1, size: 2880, extension: "CCD2"),
      .read(image: 1, rectangle), .checkSky(image: 2),
      .sky(image: 2, [PixelPosition(x: 1.5, y: -2), PixelPosition(x: 7, y: 8)]),
      .tryForbidden(file: "/etc/passwd"),
    ] {
      #expect(try ReaderRequest(request.bytes) == request)
    }
  }

  /// What the reader of a hostile file may say.
  @Test(
    arguments: [
      { $0.width = 0 }, { $0.width = FITSImage.maximumSide + 1 }, { $0.height = -1 },
      { $0.axisCount = 1 }, { $0.axisCount = 1 << 40 }, { $0.bitpix = 1 << 20 },
      { $0.bitpix = 7 }, { $0.contentSize = -1 }, { $0.contentSize = .max },
      { $0.plainStart = -2 }, { $0.plainStart = 28801 },
      { $0.coding.scale = .nan }, { $0.coding.zero = .infinity },
      { $0.header = "a\u{1B}[2J" }, { $0.extensionNumber = -1 },
    ] as [@Sendable (inout FITSLayout) -> Void])
  func anImageThatCannotBeIsRefused(change: @Sendable (inout FITSLayout) -> Void) {
    var layout = Self.layout
    change(&layout)
    #expect(throws: InvalidScan.self) { try ReaderAnswer(ReaderAnswer.opened(layout).bytes) }
  }

  @Test func anImageThatItsFileCannotHoldIsNotPossible() {
    var layout = Self.layout
    #expect(layout.isPossible(fileSize: 28800))
    // Gzipped, all of it the same.
    #expect(layout.isPossible(fileSize: 30))
    layout.contentSize = 1 << 40
    #expect(!layout.isPossible(fileSize: 28800))
    (layout.width, layout.height) = (FITSImage.maximumSide, FITSImage.maximumSide)
    layout.contentSize = 28800
    #expect(!layout.isPossible(fileSize: 28800))
  }

  /// A header may name forty images, each at length; what is refused is hostile.
  @Test(arguments: ["CCD", "×", "🔭"])
  func anErrorOfAnyLengthComes(name: String) throws {
    let fault = "has images: " + String(repeating: name, count: 5000)
    let error = FITSError(.severalImages, path: "", fault: fault, nextStep: "choose one")
    guard case .failed(let came) = try ReaderAnswer(ReaderAnswer.failed(error).bytes) else {
      throw InvalidScan("no error")
    }
    #expect(came.code == .severalImages && came.nextStep == "choose one")
    #expect(came.fault.hasSuffix("…") && fault.hasPrefix(came.fault.dropLast()))
    #expect(came.fault.utf8.count > 4000)
  }

  @Test func aPositionThatIsNotInTheSkyIsRefused() {
    let position = SkyPosition(rightAscension: 1e9, declination: 0)
    #expect(throws: InvalidScan.self) {
      try ReaderAnswer(ReaderAnswer.positions([position]).bytes)
    }
  }

  @Test func whatMovesATerminalsCursorDoesNotGetThroughAnError() throws {
    let error = FITSError(
      .noImage, path: "", fault: "has\u{1B}[2J an\r\nimage \u{202E}5 × 4", nextStep: "\u{9B}go")
    let answer = try ReaderAnswer(ReaderAnswer.failed(error).bytes)
    #expect(
      answer
        == .failed(
          FITSError(.noImage, path: "", fault: "has?[2J an??image ?5 × 4", nextStep: "?go")))
  }
}
