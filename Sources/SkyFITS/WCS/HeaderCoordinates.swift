import CWCSLIB
import Foundation

/// The coordinate systems of a header, as WCSLIB stores them: the primary one, then its alternates.
///
/// It is not `Sendable`, because WCSLIB writes intermediate results into the structures that it
/// gets.
final class HeaderCoordinates {
  /// Cards that make the image's first pixel the reference, before a header that may tell another one.
  static let firstPixelReference = ["CRPIX1  =", "CRPIX2  ="].map {
    ($0 + " 1.0").padding(toLength: 80, withPad: " ", startingAt: 0)
  }.joined()

  private var first: UnsafeMutablePointer<wcsprm>?
  private(set) var count: CInt = 0

  /// - Parameter header: cards of 80 characters, one after the other.
  /// - Throws: ``NoSkyPositions`` if WCSLIB cannot read the header.
  init(header: String) throws(NoSkyPositions) {
    let cards = try mendingDistortions(
      try mendingTextNumbers(SkyFITS.cards(of: header).filter(isWhole)))
    var text = Array(cards.joined().utf8CString)
    var rejected: CInt = 0
    let status = wcspih(&text, CInt(text.count / 80), WCSHDR_all, 0, &rejected, &count, &first)
    guard status == 0 else { throw .invalid("cannot be read (WCSLIB \(status))") }
  }

  deinit { wcsvfree(&count, &first) }

  /// A coordinate system, prepared for computing positions.
  ///
  /// - Throws: ``NoSkyPositions`` if its keywords contradict each other.
  func prepared(_ number: Int) throws(NoSkyPositions) -> UnsafeMutablePointer<wcsprm> {
    guard let system = first?.advanced(by: number) else { throw .noCelestialCoordinates }
    // `wcsfix` translates older spellings, for example of projections and units, to current ones.
    // It leaves what it cannot translate, and `wcsset` judges the result.
    var fixed = [CInt](repeating: 0, count: Int(NWCSFIX))
    _ = wcsfix(0, nil, system, &fixed)
    let status = wcsset(system)
    guard status == 0 else { throw .invalid(Self.message(for: status)) }
    return system
  }

  private static func message(for status: CInt) -> String {
    switch status {
    case 3: "have a singular matrix"
    case 4: "have axes that do not fit together"
    case 5, 6: "have a parameter that is not allowed"
    default: "cannot be computed with (WCSLIB \(status))"
    }
  }
}
