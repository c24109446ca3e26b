import Foundation

/// What reading a file may take, so that one that is damaged or hostile ends its reader, and neither
/// the command nor the machine.
struct ReaderLimits {
  /// How many bytes of its own a reader may have: half of the machine's, but at least 1 GiB. A file is
  /// mapped and does not count; one that is gzipped is inflated, and does.
  static let memory = max(Int(ProcessInfo.processInfo.physicalMemory / 2), 1 << 30)

  /// How long an answer may be, in bytes.
  static let answer = 32 << 20
  /// How many bytes a header may have.
  static let header = 16 << 20

  /// The processor time for any request, whatever it asks.
  private static let seconds = 10.0
  /// CFITSIO's slowest decompression on a slow machine, in bytes a second.
  private static let bytesPerSecond = 8e6
  /// A disk or a network may keep a reader waiting without using the processor.
  private static let waiting = 300.0

  /// The processor time that was granted so far, in seconds.
  private(set) var granted = 0.0
  /// When the request must be answered, in seconds of a clock that runs on.
  private(set) var deadline = 0.0

  /// Grants time for a request.
  ///
  /// - Parameters:
  ///   - bytes: how many it may have to go through: those that are asked for, and the file's, as a tile
  ///     may hold all of an image.
  ///   - used: the processor time that the reader has had, in seconds. What was granted for earlier
  ///     requests and not used does not count.
  ///   - now: by the clock.
  mutating func begin(bytes: Int, used: Double, now: Double) {
    let allowance = Self.seconds + Double(bytes) / Self.bytesPerSecond
    // What is used between requests, when there is nothing to do, is taken off.
    granted = min(used, granted) + allowance
    deadline = now + allowance + Self.waiting
  }

  /// Whether the reader has had its time.
  func areExceeded(used: Double, now: Double) -> Bool { used > granted || now > deadline }
}
