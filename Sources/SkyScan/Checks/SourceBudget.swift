import SkyDetection

/// The pixels of a rectangle of the image, of which each is one source's at most.
struct SourceBudget {
  /// Where the sources lie.
  let box: PixelBox
  /// How many of its pixels no source has been given.
  private(set) var left: Int

  /// - Parameter box: not empty, and within the image.
  init(box: PixelBox) {
    self.box = box
    left = box.columns.count * box.rows.count
  }

  /// Gives pixels to a source.
  ///
  /// - Throws: ``InvalidScan`` if there are fewer.
  mutating func take(_ pixels: Int) throws {
    guard pixels <= left else { throw InvalidScan("more pixels than there are in \(box)") }
    left -= pixels
  }

  /// Sources, each after the one before it.
  ///
  /// - Throws: ``InvalidScan`` if they cannot all lie here.
  mutating func check(_ sources: some Sequence<Source>, _ settings: SourceSettings) throws {
    var last: Source?
    for source in sources {
      guard source.isSound(settings), source.isWithin(box) else {
        throw InvalidScan("a source that no pixels of \(box) make")
      }
      if let last, (last.component, last.part) >= (source.component, source.part) {
        throw InvalidScan("sources out of order, or twice")
      }
      try take(Int(source.area))
      last = source
    }
  }
}

extension Source {
  /// What its centre may lie beside its box by rounding, in pixels.
  private static let slack = 1.0

  /// Whether it has what the settings ask for, and nothing that is not a number.
  func isSound(_ settings: SourceSettings) -> Bool {
    isFinite && part >= 0 && variance >= 0 && (0...max(0, area)).contains(isophotalArea)
      && apertureFluxes.count == settings.apertures.count
      && (settings.kron != nil || kron == nil) && (kron?.radius ?? 0).isFinite
      && (settings.cleaning != nil || cleaning == nil) && (cleaning?.isFinite ?? true)
  }

  /// Whether pixels of a box can make it.
  fileprivate func isWithin(_ box: PixelBox) -> Bool {
    // In columns and rows from 0.
    let (left, right) = (Int(xMin) - 1, Int(xMax))
    let (top, bottom) = (Int(yMin) - 1, Int(yMax))
    guard left < right, top < bottom, box.columns.contains(left..<right),
      box.rows.contains(top..<bottom)
    else { return false }
    let (width, height) = (right - left, bottom - top)
    return box.rows.contains(component.row) && box.columns.contains(component.column)
      && (1...width * height).contains(Int(area))
      && abs(x - Double(left + 1 + right) / 2) <= Double(width) / 2 + Self.slack
      && abs(y - Double(top + 1 + bottom) / 2) <= Double(height) / 2 + Self.slack
      && abs(xx) <= Double(width * width) + Self.slack
      && abs(yy) <= Double(height * height) + Self.slack
      && abs(xy) <= Double(width * height) + Self.slack
  }

  /// Whether it is this source, but for what is measured last.
  func isMeasured(as known: Source) -> Bool {
    var same = self
    same.apertureFluxes = known.apertureFluxes
    same.flags = known.flags
    return same == known && flags.isSuperset(of: known.flags)
  }
}

extension Source {
  /// Whether it is this source, but for the fluxes that others' pixels have a part in.
  func isMeasuredAgain(as known: Source) -> Bool {
    let measured: SourceFlags = [.biased, .incompleteAperture]
    var same = self
    same.apertureFluxes = known.apertureFluxes
    same.kron = known.kron
    same.flags = known.flags
    return same == known && (kron == nil) == (known.kron == nil)
      && flags.subtracting(measured) == known.flags.subtracting(measured)
  }
}

extension CleaningMeasures {
  fileprivate var isFinite: Bool {
    flux.isFinite && threshold.isFinite && (height ?? 0).isFinite && (slopeArea ?? 0) >= 0
  }
}
