// What this file codes is frozen by the version of `SourceScan.kind`.

import Foundation
package import SkyDetection
import SkyFITS
import SkyNetCore

/// The sky of a sector's meshes in a message. Like sources, they are sent as bytes beside the JSON:
/// an image has a mesh for every 4,096 pixels, and reading their numbers as JSON would take a tenth
/// of an engagement's time.
package struct SkyList: Hashable, Sendable {
  /// The sky of each mesh, row by row; `nil` for a mesh where too few pixels have values.
  package var skies: [MeshSky?]

  package init(_ skies: [MeshSky?]) { self.skies = skies }
}

extension SkyList: Codable {
  private static let hasValue: UInt8 = 1
  private static let hasVariance: UInt8 = 2

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    var reader = ByteReader(try container.decode(BulkBytes.self).bytes)
    do {
      skies = []
      while !reader.isAtEnd { skies.append(try Self.sky(&reader)) }
    } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var writer = ByteWriter()
    for sky in skies {
      guard let sky else {
        writer.write(0 as UInt8)
        continue
      }
      writer.write(Self.hasValue | (sky.variance == nil ? 0 : Self.hasVariance))
      writer.write(sky.level.bitPattern)
      writer.write(sky.noise.bitPattern)
      if let variance = sky.variance { writer.write(variance.bitPattern) }
    }
    var container = encoder.singleValueContainer()
    try container.encode(BulkBytes(writer.bytes))
  }

  private static func sky(_ reader: inout ByteReader) throws -> MeshSky? {
    let parts = try reader.read(UInt8.self)
    guard parts & hasValue != 0 else { return nil }
    return MeshSky(
      level: Double(bitPattern: try reader.read()), noise: Double(bitPattern: try reader.read()),
      variance: parts & hasVariance == 0 ? nil : Double(bitPattern: try reader.read()))
  }

  /// The largest number of bytes that the sky of this many meshes takes.
  static func limit(of count: Int) -> Int { 25 * count }
}
