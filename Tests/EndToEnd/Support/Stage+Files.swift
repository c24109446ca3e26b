import Foundation
import SkyScan

extension Stage {
  /// Writes an image of 128 × 128 pixels with 20 stars, and these cards in its header.
  ///
  /// - Returns: the image's path.
  func sky(_ name: String = "sky.fits", _ cards: [String] = []) async throws -> String {
    let path = file(name)
    try await SyntheticSky(width: 128, height: 128, starCount: 20).write(to: path)
    try HeaderEdit.add(cards, to: path)
    return path
  }

  /// - Returns: the file's path.
  func write(_ text: String, _ name: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
    return file(name)
  }
}
