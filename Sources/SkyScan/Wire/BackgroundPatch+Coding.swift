// What this file codes is frozen by the version of `SourceScan.kind`.

import Foundation
public import SkyDetection
import SkyNetCore

/// The nodes' numbers are sent as bytes beside the JSON: 64 bits each, little-endian.
extension BackgroundPatch: Codable {
  private enum CodingKeys: String, CodingKey {
    case noise, unitNoise, mesh, firstColumn, columnCount, firstRow, rowCount, nodes
    case noiseNodes
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func numbers(_ key: CodingKeys) throws -> [Double] {
      let bytes = try container.decode(BulkBytes.self, forKey: key).bytes
      guard bytes.count.isMultiple(of: 8) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container,
          debugDescription: "\(bytes.count) bytes are no numbers of 8 bytes each")
      }
      return bytes.withUnsafeBytes { bytes in
        (0..<bytes.count / 8).map { index in
          Double(
            bitPattern: UInt64(
              littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self)))
        }
      }
    }
    self.init(
      noise: try container.decode(Double.self, forKey: .noise),
      unitNoise: try container.decode(Double.self, forKey: .unitNoise),
      mesh: try container.decode(DetectionSettings.MeshSize.self, forKey: .mesh),
      firstColumn: try container.decode(Int.self, forKey: .firstColumn),
      columnCount: try container.decode(Int.self, forKey: .columnCount),
      firstRow: try container.decode(Int.self, forKey: .firstRow),
      rowCount: try container.decode(Int.self, forKey: .rowCount), nodes: try numbers(.nodes),
      noiseNodes: container.contains(.noiseNodes) ? try numbers(.noiseNodes) : [])
  }

  package func encode(to encoder: any Encoder) throws {
    func bytes(_ numbers: [Double]) -> BulkBytes {
      BulkBytes(numbers.map { $0.bitPattern.littleEndian }.withUnsafeBytes { Data($0) })
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(noise, forKey: .noise)
    try container.encode(unitNoise, forKey: .unitNoise)
    try container.encode(mesh, forKey: .mesh)
    try container.encode(firstColumn, forKey: .firstColumn)
    try container.encode(columnCount, forKey: .columnCount)
    try container.encode(firstRow, forKey: .firstRow)
    try container.encode(rowCount, forKey: .rowCount)
    try container.encode(bytes(nodes), forKey: .nodes)
    if !noiseNodes.isEmpty { try container.encode(bytes(noiseNodes), forKey: .noiseNodes) }
  }
}
