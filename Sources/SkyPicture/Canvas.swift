/// A colour in sRGB.
struct Color: Hashable, Sendable {
  var red: UInt8
  var green: UInt8
  var blue: UInt8

  init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// This colour with another one laid over it.
  ///
  /// - Parameter strength: from 0, which gives this colour, to 1, which gives the other one.
  func blended(with other: Color, _ strength: Float) -> Color {
    func mix(_ from: UInt8, _ to: UInt8) -> UInt8 {
      UInt8((Float(from) + strength * (Float(to) - Float(from))).rounded())
    }
    return Color(mix(red, other.red), mix(green, other.green), mix(blue, other.blue))
  }

  /// This colour with another one's light added, as by a second projector: white stays white.
  ///
  /// - Parameter strength: from 0, which adds no light, to 1, which adds all of it.
  func screened(by other: Color, _ strength: Float) -> Color {
    func add(_ from: UInt8, _ light: UInt8) -> UInt8 {
      UInt8((255 - (255 - Float(from)) * (1 - strength * Float(light) / 255)).rounded())
    }
    return Color(add(red, other.red), add(green, other.green), add(blue, other.blue))
  }
}

/// A drawing surface: pixels of three bytes each, counted from the upper left corner.
struct Canvas {
  let width: Int
  let height: Int
  /// The pixels' red, green and blue, row by row.
  private(set) var bytes: [UInt8]

  init(width: Int, height: Int, color: Color) {
    self.width = width
    self.height = height
    bytes = [UInt8](unsafeUninitializedCapacity: 3 * width * height) { buffer, initialized in
      for index in 0..<width * height {
        buffer[3 * index] = color.red
        buffer[3 * index + 1] = color.green
        buffer[3 * index + 2] = color.blue
      }
      initialized = 3 * width * height
    }
  }

  subscript(x: Int, y: Int) -> Color {
    get {
      let index = 3 * (y * width + x)
      return Color(bytes[index], bytes[index + 1], bytes[index + 2])
    }
    set {
      let index = 3 * (y * width + x)
      bytes[index] = newValue.red
      bytes[index + 1] = newValue.green
      bytes[index + 2] = newValue.blue
    }
  }

  /// Fills the part of a rectangle that is on the canvas.
  mutating func fill(x: Int, y: Int, width: Int, height: Int, _ color: Color) {
    for row in max(0, y)..<max(0, y, min(self.height, y + height)) {
      for column in max(0, x)..<max(0, x, min(self.width, x + width)) {
        self[column, row] = color
      }
    }
  }

  /// Writes a line of text with its upper left corner at (x, y). Each dot of the font is a square
  /// with a side of `dot` pixels.
  mutating func write(_ text: String, x: Int, y: Int, dot: Int, _ color: Color) {
    for (index, character) in text.enumerated() {
      let left = x + index * DotFont.advance * dot
      for place in DotFont.dots(of: character) {
        fill(x: left + place.column * dot, y: y + place.row * dot, width: dot, height: dot, color)
      }
    }
  }
}
