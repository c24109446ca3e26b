import Foundation
import SkyNetKeys

extension ClusterKeys {
  /// A new key.
  static func new() -> ClusterKeys { ClusterKeys(ClusterKey()) }
}

/// Runs `body` with a new folder, which is removed afterwards.
func withFolder(_ body: (_ path: String) async throws -> Void) async throws {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("skynet-keys-\(UUID().uuidString)").path
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  try await body(folder)
}
