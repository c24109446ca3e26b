import SkyDetection

/// The pixels of a rectangle of the image. Each of them belongs to at most one source.
struct SourceBudget {
  /// The rectangle that holds the sources.
  let box: PixelBox
  /// The number of pixels that no source has taken.
  private(set) var left: Int

  /// - Parameter box: a box that is not empty, and is within the image.
  init(box: PixelBox) {
    self.box = box
    left = box.columns.count * box.rows.count
  }

  /// Takes pixels for a source.
  ///
  /// - Throws: ``InvalidScan`` if fewer pixels are left.
  mutating func take(_ pixels: Int) throws {
    guard pixels <= left else { throw InvalidScan("sources with more pixels than \(box)") }
    left -= pixels
  }

  /// Checks sources, which must be in row order.
  ///
  /// - Throws: ``InvalidScan`` if they cannot all be in the rectangle.
  mutating func check(_ sources: some Sequence<Source>, _ settings: SourceScan.Settings) throws {
    var last: Source?
    for source in sources {
      guard source.isSound(settings), source.isWithin(box) else {
        throw InvalidScan("a source that the pixels of \(box) cannot make")
      }
      if let last, (last.component, last.part) >= (source.component, source.part) {
        throw InvalidScan("sources out of order, or twice")
      }
      try take(Int(source.isophotal.area))
      last = source
    }
  }
}

extension Source {
  /// The distance, in pixels, by which rounding may move a centre out of its box.
  private static let slack = 1.0

  /// Whether the source has no other measures than those that the settings ask for, all of them in
  /// circles, and only possible numbers.
  func isSound(_ settings: SourceScan.Settings) -> Bool {
    isFinite && part >= 0 && variance >= 0
      && apertureFluxes.count == settings.detection.apertures.count
      && (settings.detection.kron != nil || kron == nil)
      && (settings.detection.cleaning != nil || cleaning == nil) && (cleaning?.isFinite ?? true)
      && groupsAreSound(settings.detection)
  }

  /// Whether pixels of a box can make this source.
  fileprivate func isWithin(_ box: PixelBox) -> Bool {
    // Columns and rows count from 0.
    let (left, right) = (Int(xMin) - 1, Int(xMax))
    let (top, bottom) = (Int(yMin) - 1, Int(yMax))
    guard left < right, top < bottom, box.columns.contains(left..<right),
      box.rows.contains(top..<bottom)
    else { return false }
    let (width, height) = (right - left, bottom - top)
    let own = PixelBox(columns: left..<right, rows: top..<bottom)
    return isComponentEndSound(in: box)
      && box.rows.contains(component.row) && box.columns.contains(component.column)
      && isophotal.areSound(in: own)
      && abs(x - Double(left + 1 + right) / 2) <= Double(width) / 2 + Self.slack
      && abs(y - Double(top + 1 + bottom) / 2) <= Double(height) / 2 + Self.slack
      && (0...Double(width * width) + Self.slack).contains(xx)
      && (0...Double(height * height) + Self.slack).contains(yy)
      && abs(xy) <= Double(width * height) + Self.slack
  }

  /// Whether the component, which is in a box, can end where the source says.
  private func isComponentEndSound(in box: PixelBox) -> Bool {
    guard let end = componentEnd else { return true }
    return box.columns.contains(end.column) && box.rows.contains(end.row) && end >= component
      && end.row >= Int(yMax) - 1
  }

  /// Whether this is the same source as `known`, apart from fluxes in circles and flags.
  func isMeasured(as known: Source) -> Bool {
    isSame(as: known) && groups == known.groups && flags.isSuperset(of: known.flags)
  }
}

extension Source {
  /// Whether this is the same source as `known`, apart from the measures that depend on other
  /// sources' pixels.
  func isMeasuredAgain(as known: Source) -> Bool {
    let measured: Source.Flags = [.biased, .incompleteAperture]
    return isSame(as: known) && groups == known.groups
      && flags.subtracting(measured) == known.flags.subtracting(measured)
  }
}

extension CleaningMeasures {
  fileprivate var isFinite: Bool {
    flux.isFinite && threshold.isFinite && (height ?? 0).isFinite && (slopeArea ?? 0) >= 0
  }
}
