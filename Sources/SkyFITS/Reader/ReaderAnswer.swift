import Foundation
import SkyDetection

/// An answer of a reader process. A hostile file may have taken the reader over, so the asking
/// process checks every part of an answer.
enum ReaderAnswer: Equatable {
  /// The reader has started and confined itself, if the number is 0; otherwise the system's error
  /// that prevented it.
  case ready(CInt)
  case opened(FITSLayout)
  case listed([FITSImageUnit])
  case sums(FITSSums)
  case done
  case noSky(NoSkyPositions)
  case positions([SkyPosition?])
  case world(WorldPlaces)
  /// The request failed. The error's path is empty, because a reader does not know it.
  case failed(FITSError)
  /// The operations that the reader attempted, and the system's error for each; 0 if the operation
  /// succeeded.
  case probed([Trial])

  struct Trial: Hashable {
    var operation: String
    var error: CInt
  }
}

extension ReaderAnswer {
  var bytes: Data {
    var writer = ByteWriter()
    switch self {
    case .ready(let error):
      writer.write(UInt8(0))
      writer.write(error)
    case .opened(let layout):
      writer.write(UInt8(1))
      layout.write(to: &writer)
    case .done: writer.write(UInt8(2))
    case .noSky(let reason):
      writer.write(UInt8(3))
      reason.write(to: &writer)
    case .positions(let positions):
      writer.write(UInt8(4))
      writer.write(Int64(positions.count))
      for position in positions {
        writer.write(position?.rightAscension ?? .nan)
        writer.write(position?.declination ?? .nan)
      }
    case .world(let places):
      writer.write(UInt8(9))
      places.write(to: &writer)
    case .failed(let error):
      writer.write(UInt8(5))
      writer.write(error.code.rawValue)
      writer.write(error.fault.shortened(toBytes: Self.words))
      writer.write(error.nextStep.shortened(toBytes: Self.words))
    case .probed(let trials):
      writer.write(UInt8(6))
      writer.write(UInt8(clamping: trials.count))
      for trial in trials {
        writer.write(trial.operation)
        writer.write(trial.error)
      }
    case .listed(let images):
      writer.write(UInt8(7))
      writer.write(Int64(images.count))
      for image in images { image.write(to: &writer) }
    case .sums(let sums):
      writer.write(UInt8(8))
      writer.write(sums.data.rawValue)
      writer.write(sums.unit.rawValue)
    }
    return writer.bytes
  }

  /// The largest length of an error's texts, in bytes.
  private static let words = 4096

  /// - Throws: ``InvalidScan`` if the bytes are not an answer, or contain an impossible number.
  init(_ bytes: Data) throws {
    var reader = ByteReader(bytes)
    switch try reader.read(UInt8.self) {
    case 0: self = .ready(try reader.read())
    case 1: self = .opened(try FITSLayout(&reader))
    case 2: self = .done
    case 3: self = .noSky(try NoSkyPositions(&reader))
    case 4:
      let count = Int(try reader.read(Int64.self))
      guard (0...bytes.count / 16).contains(count) else { throw InvalidScan("\(count) positions") }
      self = .positions(try (0..<count).map { _ in try SkyPosition(&reader) })
    case 5:
      guard let code = FITSError.Code(rawValue: try reader.text(atMost: Self.words)) else {
        throw InvalidScan("an error of an unknown kind")
      }
      let fault = try reader.text(atMost: Self.words).inOneLine
      self = .failed(
        FITSError(
          code, path: "", fault: fault, nextStep: try reader.text(atMost: Self.words).inOneLine))
    case 6:
      self = .probed(
        try (0..<(try reader.read(UInt8.self))).map { _ in
          Trial(operation: try reader.text(atMost: Self.words).inOneLine, error: try reader.read())
        })
    case 7:
      let count = Int(try reader.read(Int64.self))
      guard (0...FITSImageUnit.mostListed).contains(count) else {
        throw InvalidScan("\(count) images")
      }
      self = .listed(try (0..<count).map { _ in try FITSImageUnit(&reader) })
    case 8:
      guard let data = FITSSums.Outcome(rawValue: try reader.read()),
        let unit = FITSSums.Outcome(rawValue: try reader.read())
      else { throw InvalidScan("checksums that are neither right nor wrong") }
      self = .sums(FITSSums(data: data, unit: unit))
    case 9: self = .world(try WorldPlaces(&reader, atMost: bytes.count / 16))
    case let kind: throw InvalidScan("an answer of kind \(kind)")
    }
    guard reader.isAtEnd else { throw InvalidScan("an answer with further bytes behind it") }
  }
}

extension SkyPosition {
  /// Reads a position; `nil` where both numbers are NaN.
  ///
  /// - Throws: ``InvalidScan`` if the position is outside of the sky.
  fileprivate init?(_ reader: inout ByteReader) throws {
    let (rightAscension, declination) = (try reader.double(), try reader.double())
    if rightAscension.isNaN, declination.isNaN { return nil }
    guard (0...360).contains(rightAscension), (-90...90).contains(declination) else {
      throw InvalidScan("a position outside of the sky")
    }
    self.init(rightAscension: rightAscension, declination: declination)
  }
}

extension NoSkyPositions {
  private static let words = 256

  fileprivate func write(to writer: inout ByteWriter) {
    switch self {
    case .noCelestialCoordinates: writer.write(UInt8(0))
    case .otherCoordinates(let name):
      writer.write(UInt8(1))
      writer.write(name)
    case .otherFrame(let frame, let equinox):
      writer.write(UInt8(2))
      writer.write(frame)
      writer.write(UInt8(equinox == nil ? 0 : 1))
      writer.write(equinox ?? 0)
    case .invalid(let fault):
      writer.write(UInt8(3))
      writer.write(fault)
    }
  }

  fileprivate init(_ reader: inout ByteReader) throws {
    switch try reader.read(UInt8.self) {
    case 0: self = .noCelestialCoordinates
    case 1: self = .otherCoordinates(try reader.text(atMost: Self.words).inOneLine)
    case 2:
      let frame = try reader.text(atMost: Self.words).inOneLine
      let hasEquinox = try reader.read(UInt8.self) != 0
      let equinox = try reader.double()
      self = .otherFrame(frame, equinox: hasEquinox ? equinox : nil)
    case 3: self = .invalid(try reader.text(atMost: Self.words).inOneLine)
    case let kind: throw InvalidScan("a reason of kind \(kind)")
    }
  }
}

extension String {
  /// The text, cut if it has more bytes: the names in a header can be very long.
  fileprivate func shortened(toBytes most: Int) -> String {
    guard utf8.count > most else { return self }
    let mark = "…"
    var end = utf8.index(startIndex, offsetBy: most - mark.utf8.count)
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return self[..<end] + mark
  }

  /// The text with a question mark for each character that moves a terminal's cursor or is
  /// invisible.
  var inOneLine: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
            .unassigned:
            "?"
          default: scalar
          }
        }))
  }
}
