// What this file codes is frozen by the version of `SourceScan.kind`.

import Foundation
package import SkyDetection
import SkyFITS
import SkyNetCore

/// Sources in a message. Like pixels, they are sent as bytes beside the JSON.
///
/// The sources of a crowded image have as many numbers as some of its pixels. Reading each number
/// as JSON would take longer than finding the source.
package struct SourceList: Hashable, Sendable {
  package var sources: [Source]

  package init(_ sources: [Source]) { self.sources = sources }
}

extension SourceList: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    var reader = ByteReader(try container.decode(BulkBytes.self).bytes)
    do {
      sources = []
      while !reader.isAtEnd { sources.append(try Source(&reader)) }
    } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var writer = ByteWriter()
    for source in sources { source.write(to: &writer) }
    var container = encoder.singleValueContainer()
    try container.encode(BulkBytes(writer.bytes))
  }
}

extension SourceList {
  /// The largest number of bytes that the sources in this many pixels take.
  static func limit(inPixels pixels: Int, _ settings: SourceScan.Settings) -> Int {
    // The additional source is one of a single pixel that is known from the sums of fragments.
    limit(of: pixels / max(1, settings.minimumArea) + 1, settings)
  }

  /// The largest number of bytes that this many sources take.
  static func limit(of count: Int, _ settings: SourceScan.Settings) -> Int {
    count * (115 + Source.mostGroupBytes(settings.detection))
  }
}

extension Source {
  fileprivate func write(to writer: inout ByteWriter) {
    for count in [apertureFluxes.count, apertureVariances.count, fluxRadii.count] {
      writer.write(UInt8(clamping: count))
    }
    writer.write(groups.rawValue)
    writer.write(flags.rawValue)
    for number in [component.row, component.column, part] { writer.write(Int32(clamping: number)) }
    for number in [isophotal.area, isophotal.isophotalArea] { writer.write(number) }
    for number in [xMin, yMin, xMax, yMax] { writer.write(number) }
    for number in [x, y, xx, yy, xy, flux, variance] { writer.write(number.bitPattern) }
    for number in [isophotal.peak, isophotal.smoothedPeak] { writer.write(number.bitPattern) }
    for number in [isophotal.xPeak, isophotal.yPeak] { writer.write(number) }
    writeGroups(to: &writer)
  }

  /// - Throws: ``InvalidScan`` if there are too few bytes, or a number is not finite.
  fileprivate init(_ reader: inout ByteReader) throws {
    let counts = [try reader.read(UInt8.self), try reader.read(), try reader.read()]
    let groups = SourceGroups(rawValue: try reader.read())
    let flags = Source.Flags(rawValue: try reader.read())
    func whole() throws -> Int { Int(try reader.read(Int32.self)) }
    func double() throws -> Double { Double(bitPattern: try reader.read()) }
    func float() throws -> Float { Float(bitPattern: try reader.read()) }
    let component = PixelPlace(row: try whole(), column: try whole())
    let part = try whole()
    var isophotal = IsophotalMeasures()
    isophotal.area = try reader.read()
    isophotal.isophotalArea = try reader.read()
    let (xMin, yMin): (Int32, Int32) = (try reader.read(), try reader.read())
    let (xMax, yMax): (Int32, Int32) = (try reader.read(), try reader.read())
    let (x, y, xx) = (try double(), try double(), try double())
    let (yy, xy) = (try double(), try double())
    let (flux, variance) = (try double(), try double())
    (isophotal.peak, isophotal.smoothedPeak) = (try float(), try float())
    (isophotal.xPeak, isophotal.yPeak) = (try reader.read(), try reader.read())
    self.init(
      component: component, part: part, x: x, y: y, xx: xx, yy: yy, xy: xy, flux: flux,
      variance: variance, isophotal: isophotal, xMin: xMin, yMin: yMin, xMax: xMax, yMax: yMax,
      flags: flags, apertureFluxes: [])
    try readGroups(groups, counts: counts, from: &reader)
    guard isFinite else { throw InvalidScan("a source with a number that is not finite") }
  }
}
