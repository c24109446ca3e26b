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
  /// Whether a projection brings a distortion that its convention applies to intermediate world coordinates, in
  /// degrees. WCSLIB applies it before CDELT, where they are in pixels.
  private let hasWorldDistortion: Bool

  /// - Parameter header: cards of 80 characters, one after the other.
  /// - Throws: ``NoSkyPositions`` if WCSLIB cannot read the header.
  init(header: String) throws(NoSkyPositions) {
    let cards = try mendingDistortions(
      try mendingTextNumbers(SkyFITS.cards(of: header).filter(isWhole)))
    hasWorldDistortion = cards.contains { card in
      card.hasPrefix("CTYPE") && selfDistorting.contains { card.contains("-" + $0) }
    }
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
    try Self.set(system)
    if hasWorldDistortion {
      Self.scaleMatrix(system)
      try Self.set(system)
    }
    return system
  }

  private static func set(_ system: UnsafeMutablePointer<wcsprm>) throws(NoSkyPositions) {
    let status = wcsset(system)
    guard status == 0 else { throw .invalid(message(for: status)) }
  }

  /// Makes the matrix of a system that is set tell the scales, too (CDi_j), so that CDELT is 1.
  private static func scaleMatrix(_ system: UnsafeMutablePointer<wcsprm>) {
    let count = Int(system.pointee.naxis)
    guard let matrix = system.pointee.pc, let scales = system.pointee.cdelt else { return }
    for axis in 0..<count {
      for other in 0..<count { matrix[axis * count + other] *= scales[axis] }
      scales[axis] = 1
    }
    // WCSLIB's names for it: the matrix is PCi_j, and nothing is set.
    system.pointee.altlin = 1
    system.pointee.flag = 0
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
