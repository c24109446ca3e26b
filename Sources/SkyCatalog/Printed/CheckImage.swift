package import Foundation

/// A check image: a file with a map of the background, as a configuration asks for it with CHECKIMAGE_TYPE and
/// CHECKIMAGE_NAME. It has 32-bit floats, and the header of the image.
package struct CheckImage: Codable, Hashable, Sendable {
  /// What the pixels are.
  package enum Kind: String, CaseIterable, Codable, Sendable {
    /// The background's level.
    case background = "BACKGROUND"
    /// The background's noise.
    case noise = "BACKGROUND_RMS"
  }

  package let kind: Kind
  /// The file's path, as the configuration spells it.
  package let path: String

  package init(_ kind: Kind, path: String) { (self.kind, self.path) = (kind, path) }
}

extension CheckImage {
  /// The primary unit before the units of a file's images.
  package static func primary(imageCount: Int) -> Data {
    var bytes: [UInt8] = []
    bytes.append(
      header: HeaderCard.emptyPrimary + [
        HeaderCard("NEXTEND", .whole(imageCount), "number of images")
      ])
    return Data(bytes)
  }

  /// The header of an image's unit. The cards about the form of the image's own pixels, and its checksums, are left
  /// out.
  ///
  /// - Parameters:
  ///   - imageHeader: the image's own header: cards of 80 characters.
  ///   - isExtension: whether the unit is one of several, behind a primary unit.
  package static func header(
    _ imageHeader: String, width: Int, height: Int, isExtension: Bool
  ) -> Data {
    let own = HeaderCard.cards(of: imageHeader)
    let first =
      isExtension
      ? HeaderCard("XTENSION", .text("IMAGE"), "an image")
      : HeaderCard("SIMPLE", .flag(true), "a FITS file")
    let counts = [
      HeaderCard("PCOUNT", .whole(0), "no parameters"),
      HeaderCard("GCOUNT", .whole(1), "one group"),
    ]
    let cards =
      [
        first, HeaderCard("BITPIX", .whole(-32), "32-bit floats"),
        HeaderCard("NAXIS", .whole(2), "axes"), HeaderCard("NAXIS1", .whole(width)),
        HeaderCard("NAXIS2", .whole(height)),
      ] + (isExtension ? counts : [])
    let wasExtension = own.first?.text.hasPrefix("XTENSION") == true
    var bytes: [UInt8] = []
    bytes.append(
      header: cards
        + own.filter { !$0.isAboutPixels(isExtension: isExtension, wasExtension: wasExtension) })
    return Data(bytes)
  }

  /// Values as the unit has them.
  package static func data(of values: [Float]) -> Data {
    // A key path of two steps in place of the closure would be looked up for each pixel, at 170 ns.
    values.map { $0.bitPattern.bigEndian }.withUnsafeBytes { Data($0) }
  }

  /// What is missing to whole blocks behind a number of pixels.
  package static func filling(behind pixels: Int) -> Data {
    let block = 2880
    return Data(count: (block - 4 * pixels % block) % block)
  }
}

extension HeaderCard {
  fileprivate func isAboutPixels(isExtension: Bool, wasExtension: Bool) -> Bool {
    let keyword = text.prefix(8).prefix { $0 != " " }
    switch keyword {
    case "SIMPLE", "XTENSION", "BITPIX", "PCOUNT", "GCOUNT", "BSCALE", "BZERO", "BLANK", "CHECKSUM",
      "DATASUM", "END":
      return true
    case "EXTEND": return isExtension
    case "EXTNAME", "EXTVER": return wasExtension && !isExtension
    default: return keyword.hasPrefix("NAXIS")
    }
  }
}
