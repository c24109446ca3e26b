import Foundation

/// What reading a file may take, so that one that is damaged or hostile ends its reader, and neither
/// the command nor the machine.
///
/// A reader has two accounts of seconds. One is of the processor time that it uses: more than
/// decompression takes means that it runs in circles. The other is of the time that requests wait for it,
/// for whatever reason: a reader that uses no processor time may wait for a slow disk, or for ever.
/// Opening a file grants some seconds, and each request more in proportion to the bytes that it may have
/// to go through. So a small file has its 20 seconds at most, and a large one on a slow disk is read.
struct ReaderLimits {
  /// How many bytes of its own a reader may have: half of the machine's, but at least 1 GiB. A file is
  /// mapped and does not count; one that is gzipped is inflated, and does.
  static let memory = max(Int(ProcessInfo.processInfo.physicalMemory / 2), 1 << 30)

  /// How long an answer may be, in bytes.
  static let answer = 32 << 20
  /// How many bytes a header may have.
  static let header = 16 << 20
  /// What finding a pixel's place in the sky counts as, in bytes: 50 µs of a processor, many times what
  /// WCSLIB takes with a distortion.
  static let bytesPerPlace = 400

  private var processor: TimeAccount
  private var waiting: TimeAccount
  /// The processor time that the reader had had at the last look, in seconds.
  private var used = 0.0
  /// When that was.
  private var lastLook = 0.0

  /// This process may be stopped, by Ctrl-Z for one, and then looks late: that is not the reader's time.
  private static let longestLook = 1.0

  /// - Parameters:
  ///   - processing: how much processor time a small file has, in seconds.
  ///   - patience: for how long it is waited for, in seconds.
  init(processing: Double = 5, patience: Double = 15) {
    // CFITSIO's slowest decompression on a slow machine is 8 MB/s.
    processor = TimeAccount(opening: processing, bytesPerSecond: 8e6)
    // The slowest disk or network that is waited for is 1 MB/s.
    waiting = TimeAccount(opening: patience, bytesPerSecond: 1e6)
  }

  /// Grants time for a request.
  ///
  /// - Parameters:
  ///   - bytes: how many it may have to go through: those that are asked for, and the file's, as a tile
  ///     may hold all of an image.
  ///   - opens: whether it opens a file.
  ///   - used: the processor time that the reader has had, in seconds. What it uses between requests, when
  ///     there is nothing to do, is taken off.
  ///   - now: by a clock that runs on, in seconds.
  mutating func begin(bytes: Int, opens: Bool, used: Double, now: Double) {
    take(used)
    lastLook = now
    processor.grant(bytes: bytes, opens: opens)
    waiting.grant(bytes: bytes, opens: opens)
  }

  /// Takes off what has passed since the last look, and says whether a reader that has not answered yet
  /// has had its time, and which.
  mutating func look(used: Double, now: Double) -> ReaderEnding? {
    take(used)
    waiting.take(min(now - lastLook, Self.longestLook))
    lastLook = now
    if processor.isOverdrawn { return .outOfTime }
    return waiting.isOverdrawn ? .silent : nil
  }

  private mutating func take(_ used: Double) {
    // Of a process that is gone the system says 0.
    processor.take(max(0, used - self.used))
    self.used = max(used, self.used)
  }
}

/// Seconds that are granted, and taken off.
private struct TimeAccount {
  /// What opening a file grants, which is also the most that is kept from one request for the next: time
  /// that many small requests did not take is not for one to run in circles in.
  let opening: Double
  let bytesPerSecond: Double
  private var left = 0.0

  init(opening: Double, bytesPerSecond: Double) {
    self.opening = opening
    self.bytesPerSecond = bytesPerSecond
  }

  var isOverdrawn: Bool { left < 0 }

  mutating func grant(bytes: Int, opens: Bool) {
    left = min(left, opening) + Double(bytes) / bytesPerSecond + (opens ? opening : 0)
  }

  mutating func take(_ seconds: Double) { left -= seconds }
}
