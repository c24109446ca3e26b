/// The colours of a picture. Those of Okabe & Ito (2008, "Color Universal Design") are told apart by
/// the colour-blind, too.
enum Palette {
  /// The colours of systems.
  static let systems = [
    Color(0x56, 0xB4, 0xE9),  // sky blue
    Color(0xD5, 0x5E, 0x00),  // vermillion
    Color(0x00, 0x9E, 0x73),  // bluish green
    Color(0xCC, 0x79, 0xA7),  // reddish purple
    Color(0xE6, 0x9F, 0x00),  // orange
    Color(0x00, 0x72, 0xB2),  // blue
  ]
  /// The line of an ellipse: Okabe & Ito's yellow, the brightest of theirs, which no system has.
  static let source = Color(0xF0, 0xE4, 0x42)
  /// A pixel without a value: plum.
  static let blank = Color(0x5C, 0x18, 0x48)
  /// Between sectors.
  static let line = Color(0xFF, 0xFF, 0xFF)
  static let lineStrength: Float = 0.35
  /// Behind the legend, and its text.
  static let backdrop = Color(0x12, 0x12, 0x14)
  static let text = Color(0xE6, 0xE6, 0xE6)
}

/// How a sector is coloured.
enum Tint: Hashable, Sendable {
  /// A system scanned it. Systems beyond the palette's colours have them once more, striped.
  case system(Int)
  /// No system scanned it.
  case failed

  private static let strength: Float = 0.2
  /// The width of stripes, and the distance of hatching's lines, in pixels.
  private static let stripe = 6
  private static let hatch = 12

  /// A pixel of the image as it is shown.
  func applied(to color: Color, x: Int, y: Int) -> Color {
    switch self {
    case .system(let number):
      guard covers(number, x: x, y: y, stripe: Self.stripe) else { return color }
      return color.screened(by: Palette.systems[number % Palette.systems.count], Self.strength)
    case .failed:
      let dark = color.blended(with: Color(0, 0, 0), 0.4)
      return isHatched(x: x, y: y) ? dark.blended(with: Palette.line, 0.4) : dark
    }
  }

  /// A pixel of a square of the legend, counted from the square's corner.
  ///
  /// - Parameter side: the square's, in pixels: it shows two stripes whatever its size.
  func swatch(x: Int, y: Int, side: Int) -> Color {
    switch self {
    case .system(let number):
      return covers(number, x: x, y: y, stripe: max(1, side / 4))
        ? Palette.systems[number % Palette.systems.count] : Palette.backdrop
    case .failed: return isHatched(x: x, y: y) ? Color(0x99, 0x99, 0x99) : Color(0x30, 0x30, 0x30)
    }
  }

  private func isHatched(x: Int, y: Int) -> Bool { (x + y) % Self.hatch < 2 }

  private func covers(_ number: Int, x: Int, y: Int, stripe: Int) -> Bool {
    switch number / Palette.systems.count % 3 {
    case 0: true
    case 1: (y / stripe).isMultiple(of: 2)
    default: (x / stripe).isMultiple(of: 2)
    }
  }
}
