import CWCSLIB
import Foundation

/// The coordinate systems of a header, as WCSLIB keeps them: the primary one, then its alternates.
///
/// Not `Sendable`: WCSLIB keeps what it works out in the structures that it is given.
final class HeaderCoordinates {
  private var first: UnsafeMutablePointer<wcsprm>?
  private(set) var count: CInt = 0

  /// - Parameter header: cards of 80 characters, one after the other.
  /// - Throws: ``NoSkyPositions`` if WCSLIB cannot read it.
  init(header: String) throws(NoSkyPositions) {
    let cards = mendingScampDistortion(SkyFITS.cards(of: header).filter(isWhole))
    var text = Array(cards.joined().utf8CString)
    var rejected: CInt = 0
    let status = wcspih(&text, CInt(text.count / 80), WCSHDR_all, 0, &rejected, &count, &first)
    guard status == 0 else { throw .invalid("cannot be read (WCSLIB \(status))") }
  }

  deinit { wcsvfree(&count, &first) }

  /// A system, made ready to compute with.
  ///
  /// - Throws: ``NoSkyPositions`` if its keywords contradict each other.
  func prepared(_ number: Int) throws(NoSkyPositions) -> UnsafeMutablePointer<wcsprm> {
    guard let system = first?.advanced(by: number) else { throw .noCelestialCoordinates }
    // Older spellings, of projections and units among others, become those of today. What cannot
    // be mended stays, and is judged next.
    var fixed = [CInt](repeating: 0, count: Int(NWCSFIX))
    _ = wcsfix(0, nil, system, &fixed)
    let status = wcsset(system)
    guard status == 0 else { throw .invalid(Self.words(for: status)) }
    return system
  }

  private static func words(for status: CInt) -> String {
    switch status {
    case 3: "have a singular matrix"
    case 4: "have axes that do not fit together"
    case 5, 6: "have a parameter that is not allowed"
    default: "cannot be computed with (WCSLIB \(status))"
    }
  }
}
