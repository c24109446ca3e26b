// What this file codes is frozen by the version of `SourceScan.kind`.

import SkyNetCore

/// Why a system has no pixels for a task that is to take them from its cache.
enum CacheRefusal: String {
  /// It has no cache.
  case none
  /// It does not keep them, or does so no more.
  case gone

  private static let prefix = "cache "

  var refusal: SectorDataRefused {
    SectorDataRefused(
      code: Self.prefix + rawValue,
      reason: self == .none ? "it keeps no pixels" : "it does not keep these pixels any more")
  }

  /// - Returns: `nil` if the refusal is of another kind.
  init?(_ refusal: SectorDataRefused) {
    guard refusal.code.hasPrefix(Self.prefix) else { return nil }
    self.init(rawValue: String(refusal.code.dropFirst(Self.prefix.count)))
  }
}
