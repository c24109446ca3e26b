import ArgumentParser
import Foundation
import SkyNetCommand
import SkyScan

/// How many of the pixels that a node is sent it keeps for the passes that follow.
struct CacheOption: ParsableArguments {
  private static let mebibyte = 1 << 20
  /// The part of the memory that the node may use which the cache takes by default.
  private static let share = 8
  private static let mostByDefault = 1024 * mebibyte

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Keep at most this many MiB of the pixels that engagements send or name, for the passes that follow; 0 keeps \
      none. (default: an eighth of the memory, at most 1024)
      """, valueName: "MiB"))
  var pixelCache: Int?

  func validate() throws { try Check.range("pixel-cache", pixelCache, 0...1 << 20) }

  /// The cache; `nil` if the node keeps nothing.
  var cache: PixelCache? {
    let memory = MemoryLimit.all.map(\.limit).min() ?? .max
    let capacity =
      pixelCache.map { $0 * Self.mebibyte }
      ?? min(
        Self.mostByDefault,
        min(memory, Int(clamping: ProcessInfo.processInfo.physicalMemory)) / Self.share)
    return capacity > 0 ? PixelCache(capacity: capacity) : nil
  }
}
