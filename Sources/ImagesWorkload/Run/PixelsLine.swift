import Foundation
import SkyNetCommand

/// What a run's end says of the pixels that did not travel:
/// `systems read 25.2 MB of pixels from their own files, and were sent 0.3 MB`.
enum PixelsLine {
  /// - Parameter bytes: the bytes of pixels that systems read and that they were sent.
  /// - Returns: no line if systems were sent all pixels, or needed none.
  static func lines(_ bytes: (read: Int, sent: Int)) -> [String] {
    guard bytes.read > 0 else { return [] }
    return [
      "systems read \(text(bytes.read)) of pixels from their own files, and were sent "
        + text(bytes.sent)
    ]
  }

  private static func text(_ bytes: Int) -> String {
    bytes < 100_000 ? "\(bytes) bytes" : String(format: "%.1f MB", Double(bytes) / 1e6)
  }
}
