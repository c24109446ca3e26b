import SkyDetection

/// The strip under an image that explains the colours: swatches with text beside them, in as many
/// lines as they need.
struct Legend {
  /// A narrower picture has an empty margin on its right, so that the legend's names are readable.
  static let minimumWidth = 256
  /// Systems beyond this number are only counted, and longer names are cut.
  static let maximumSystems = 48
  static let longestName = 32

  /// The contents of a swatch.
  private enum Swatch {
    case tint(Tint)
    case plain(Color)
    /// A ring, like the ellipses of sources.
    case ring(Color)
    case none
  }

  private let entries: [(swatch: Swatch, text: String, x: Int, y: Int)]
  /// The side of the font's dots, in pixels.
  private let dot: Int
  private let textHeight: Int

  /// The legend's size, in pixels.
  let width: Int
  let height: Int

  init(tints: SectorTints, sourceCount: Int, hasBlanks: Bool, width: Int) {
    let width = max(width, Self.minimumWidth)
    let dot = max(1, min(4, width / 512))
    let (gap, line) = (6 * dot, (DotFont.height + 6) * dot)
    var wanted: [(Swatch, String)] = [
      (.ring(Palette.source), sourceCount == 1 ? "1 source" : "\(sourceCount) sources")
    ]
    for (number, name) in tints.names.prefix(Self.maximumSystems).enumerated() {
      wanted.append((.tint(.system(number)), Self.shortened(name, to: Self.longestName)))
    }
    if tints.names.count > Self.maximumSystems {
      wanted.append((.none, "and \(tints.names.count - Self.maximumSystems) more"))
    }
    if tints.failedCount > 0 { wanted.append((.tint(.failed), "not scanned")) }
    if hasBlanks { wanted.append((.plain(Palette.blank), "no value")) }

    var (x, y) = (gap, gap)
    var entries: [(Swatch, String, Int, Int)] = []
    for (swatch, text) in wanted {
      let characters = (width - 3 * gap - DotFont.height * dot) / (DotFont.advance * dot)
      let text = Self.shortened(text, to: characters)
      let length = DotFont.height * dot + gap + text.count * DotFont.advance * dot
      if x > gap, x + length > width - gap { (x, y) = (gap, y + line) }
      entries.append((swatch, text, x, y))
      x += length + 2 * gap
    }
    self.entries = entries.map { (swatch: $0.0, text: $0.1, x: $0.2, y: $0.3) }
    self.dot = dot
    self.width = width
    textHeight = DotFont.height * dot
    height = y + textHeight + gap
  }

  /// Draws the legend with its first row at `top`.
  func draw(on canvas: inout Canvas, y top: Int) {
    for entry in entries {
      draw(entry.swatch, on: &canvas, x: entry.x, y: top + entry.y)
      canvas.write(
        entry.text, x: entry.x + textHeight + 6 * dot, y: top + entry.y, dot: dot, Palette.text)
    }
  }

  private func draw(_ swatch: Swatch, on canvas: inout Canvas, x: Int, y: Int) {
    let side = textHeight
    switch swatch {
    case .plain(let color): canvas.fill(x: x, y: y, width: side, height: side, color)
    case .tint(let tint):
      for row in 0..<side {
        for column in 0..<side {
          canvas[x + column, y + row] = tint.swatch(x: column, y: row, side: side)
        }
      }
    case .ring(let color):
      let (radius, thickness) = (Double(side) / 2, Double(max(1, dot)))
      canvas.draw(
        EllipseOutline(
          x: Double(x) + radius, y: Double(y) + radius, semiMajorAxis: radius - thickness / 2,
          semiMinorAxis: 0.7 * radius, angle: -30),
        color, thickness: thickness,
        within: PixelRectangle(x: x, y: y, width: side, height: side))
    case .none: break
    }
  }

  private static func shortened(_ text: String, to count: Int) -> String {
    text.count <= count ? text : text.prefix(max(1, count - 2)) + ".."
  }
}
