import Foundation

@testable import SkyDetection
@testable import SkyFITS
@testable import SkyScan

/// A folder that is gone when the last reference is.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "skyscan-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Writes a file and returns its path.
  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
    return file(name)
  }

  /// Draws a sky, and opens its file.
  func sky(width: Int, height: Int, starCount: Int) async throws -> FITSImage {
    let path = file("sky.fits")
    try await SyntheticSky(width: width, height: height, starCount: starCount).write(to: path)
    return try await FITSImage.open(path)
  }

  func file(_ name: String) -> String { path + "/" + name }

  func contents() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }
}
