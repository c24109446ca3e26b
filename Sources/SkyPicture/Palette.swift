/// The colours of a picture. Colour-blind people can distinguish those of Okabe & Ito (2008, "Color
/// Universal Design").
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
  /// The line of an ellipse: Okabe & Ito's yellow, the brightest of their colours. No system has
  /// it.
  static let source = Color(0xF0, 0xE4, 0x42)
  /// A pixel without a value: plum.
  static let blank = Color(0x5C, 0x18, 0x48)
  /// The lines between sectors.
  static let line = Color(0xFF, 0xFF, 0xFF)
  static let lineStrength: Float = 0.35
  /// The legend's background, and its text.
  static let backdrop = Color(0x12, 0x12, 0x14)
  static let text = Color(0xE6, 0xE6, 0xE6)
}

/// The tint of a sector.
enum Tint: Hashable, Sendable {
  /// A system scanned the sector. Systems beyond the palette's colours have the same colours again,
  /// with stripes.
  case system(Int)
  /// No system scanned the sector.
  case failed

  private static let strength: Float = 0.2
  /// The width of stripes, and the distance of hatching lines, in pixels.
  private static let stripe = 6
  private static let hatch = 12

  /// The tinted colour of a pixel of the image.
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

  /// A pixel of a swatch in the legend, counted from the swatch's corner.
  ///
  /// - Parameter side: the swatch's side, in pixels. A swatch shows two stripes whatever its side.
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
