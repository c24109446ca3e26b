import SkyNetCore

import struct Foundation.Data

/// A scan like a user's own, with its own types of settings, sectors and outputs.
struct SumScan: Scan {
  static let kind = ScanKind(name: "sum", version: 2)

  struct Settings: Codable, Sendable {
    let factor: Int
    let label: String?
  }

  struct Sector: Codable, Sendable {
    let number: Int
    let pixels: BulkBytes
    let mask: BulkBytes
  }

  struct Output: Codable, Hashable, Sendable {
    let sum: Int
    let label: String
    let reversed: BulkBytes
  }

  /// Sums the masked pixels, and throws for a sector without pixels.
  func run(_ sector: Sector, settings: Settings) async throws -> Output {
    guard !sector.pixels.bytes.isEmpty else { throw NoPixels(sector: sector.number) }
    let masked = zip(sector.pixels.bytes, sector.mask.bytes).map { Int($0 & $1) }
    return Output(
      sum: masked.reduce(0, +) * settings.factor, label: settings.label ?? "none",
      reversed: BulkBytes(Data(sector.pixels.bytes.reversed())))
  }

  struct NoPixels: Error, CustomStringConvertible {
    let sector: Int

    var description: String { "sector \(sector) has no pixels" }
  }

  /// A sector of this many pixels, none of which the mask hides.
  static func sector(_ number: Int, bytes: Int) -> Sector {
    Sector(
      number: number, pixels: BulkBytes(Data((0..<bytes).map { UInt8(truncatingIfNeeded: $0) })),
      mask: BulkBytes(Data(repeating: 0x0F, count: bytes)))
  }
}
