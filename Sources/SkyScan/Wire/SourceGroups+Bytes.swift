// What this file codes is frozen by the version of `SourceScan.kind`.

import SkyDetection
import SkyFITS

extension Source {
  /// Writes the measures that not every source has.
  func writeGroups(to writer: inout ByteWriter) {
    func write(_ numbers: [Double]) { for number in numbers { writer.write(number.bitPattern) } }
    func writeErrors(_ errors: PositionErrors) { write([errors.xx, errors.yy, errors.xy]) }
    func writeFlux(_ flux: EllipseFlux) {
      write([flux.radius, flux.flux] + (flux.variance.map { [$0] } ?? []))
    }
    write(apertureFluxes)
    if let kron { writeFlux(kron) }
    if let cleaning {
      write([cleaning.flux])
      writer.write(cleaning.threshold.bitPattern)
      if let height = cleaning.height { writer.write(height.bitPattern) }
      if let slopeArea = cleaning.slopeArea { writer.write(slopeArea) }
    }
    write(apertureVariances)
    write(fluxRadii)
    if let petrosian { writeFlux(petrosian) }
    if let positionErrors { writeErrors(positionErrors) }
    if let profile {
      for level in 0..<Profile.levelCount { writer.write(profile.areas[level]) }
      write([profile.fwhm])
    }
    if let thresholds {
      writer.write(thresholds.detection.bitPattern)
      writer.write(thresholds.analysis.bitPattern)
    }
    if let window {
      write([window.x, window.y, window.xx, window.yy, window.xy])
      writeErrors(window.errors)
      write([window.flux, window.variance])
      writer.write(UInt16(bitPattern: window.iterations))
      writer.write(window.flags.rawValue)
      writer.write(UInt16(bitPattern: window.reach))
    }
    if let weightCounts {
      writer.write(weightCounts.low)
      writer.write(weightCounts.steep)
    }
    if let localBackground { write([localBackground]) }
    if let stampMask {
      writer.write(UInt16(clamping: stampMask.bits.count))
      for byte in stampMask.bits { writer.write(byte) }
    }
    if let componentEnd {
      writer.write(Int32(clamping: componentEnd.row))
      writer.write(Int32(clamping: componentEnd.column))
    }
  }

  /// Reads what ``writeGroups(to:)`` wrote.
  ///
  /// - Parameters:
  ///   - groups: the groups that the source has.
  ///   - counts: the numbers of fluxes in circles, of their variances, and of radii.
  /// - Throws: ``InvalidScan`` if there are too few bytes.
  mutating func readGroups(
    _ groups: SourceGroups, counts: [UInt8], from reader: inout ByteReader
  ) throws {
    func double() throws -> Double { Double(bitPattern: try reader.read()) }
    func float() throws -> Float { Float(bitPattern: try reader.read()) }
    func short() throws -> Int16 { Int16(bitPattern: try reader.read()) }
    func doubles(_ count: UInt8) throws -> [Double] { try (0..<count).map { _ in try double() } }
    func errors() throws -> PositionErrors {
      PositionErrors(xx: try double(), yy: try double(), xy: try double())
    }
    func flux(hasVariance: Bool) throws -> EllipseFlux {
      EllipseFlux(
        radius: try double(), flux: try double(), variance: hasVariance ? try double() : nil)
    }
    apertureFluxes = try doubles(counts[0])
    if groups.contains(.kron) { kron = try flux(hasVariance: groups.contains(.kronVariance)) }
    if groups.contains(.cleaning) {
      cleaning = CleaningMeasures(
        flux: try double(), threshold: try float(),
        height: groups.contains(.height) ? try float() : nil,
        slopeArea: groups.contains(.slopeArea) ? try reader.read() : nil)
    }
    apertureVariances = try doubles(counts[1])
    fluxRadii = try doubles(counts[2])
    if groups.contains(.petrosian) {
      petrosian = try flux(hasVariance: groups.contains(.petrosianVariance))
    }
    if groups.contains(.positionErrors) { positionErrors = try errors() }
    if groups.contains(.profile) {
      profile = Profile(
        areas: try (0..<Profile.levelCount).map { _ in try reader.read() }, fwhm: try double())
    }
    if groups.contains(.thresholds) {
      thresholds = SourceThresholds(detection: try float(), analysis: try float())
    }
    if groups.contains(.window) {
      window = WindowMeasures(
        x: try double(), y: try double(), xx: try double(), yy: try double(), xy: try double(),
        errors: try errors(), flux: try double(), variance: try double(),
        iterations: try short(), flags: WindowMeasures.Flags(rawValue: try reader.read()),
        reach: try short())
    }
    if groups.contains(.weightCounts) {
      weightCounts = LowWeights(low: try reader.read(), steep: try reader.read())
    }
    if groups.contains(.localBackground) { localBackground = try double() }
    if groups.contains(.stampMask) {
      let count = try reader.read(UInt16.self)
      stampMask = StampMask(bits: try (0..<count).map { _ in try reader.read() })
    }
    if groups.contains(.componentEnd) {
      let (row, column): (Int32, Int32) = (try reader.read(), try reader.read())
      componentEnd = PixelPlace(row: Int(row), column: Int(column))
    }
  }
}
