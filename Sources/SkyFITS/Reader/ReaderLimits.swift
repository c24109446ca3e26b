import Foundation

/// The limits of a reader process, so that a damaged or hostile file ends its reader, and neither
/// the command nor the machine.
///
/// A reader has two accounts of seconds. The first one is for processor time: a reader that uses
/// more than decompression needs is in an endless loop. The second one is for the time that
/// requests wait: a reader that uses no processor time may wait for a slow disk, or forever.
/// Opening a file grants some seconds, and each request grants more in proportion to the bytes that
/// it may have to go through. So a small file gets 20 seconds at most, and a large file on a slow
/// disk can be read.
struct ReaderLimits {
  /// The largest amount of the reader's own memory, in bytes: half of the machine's memory, but at
  /// least 1 GiB. A mapped file does not count, and an inflated one does.
  static let memory = max(Int(ProcessInfo.processInfo.physicalMemory / 2), 1 << 30)

  /// The largest length of an answer, in bytes.
  static let answer = 40 << 20
  /// The largest length of a header, in bytes.
  static let header = 16 << 20
  /// The number of bytes that a pixel's sky position counts as. They stand for 50 µs of processor
  /// time, many times what WCSLIB takes with a distortion.
  static let bytesPerPlace = 400

  private var processor: TimeAccount
  private var waiting: TimeAccount
  /// The processor time of the reader at the last call of ``check(used:now:)``, in seconds.
  private var used = 0.0
  /// The time of that call.
  private var lastCheck = 0.0

  /// The longest time that one call can take off. A process that was stopped, by Ctrl-Z for
  /// example, calls late, and the reader is not to blame for that.
  private static let longestInterval = 1.0

  /// - Parameters:
  ///   - processing: the processor time that a small file is granted, in seconds.
  ///   - patience: the waiting time that a small file is granted, in seconds.
  init(processing: Double = 5, patience: Double = 15) {
    // CFITSIO's slowest decompression on a slow machine is 8 MB/s.
    processor = TimeAccount(opening: processing, bytesPerSecond: 8e6)
    // The slowest supported disk or network is 1 MB/s.
    waiting = TimeAccount(opening: patience, bytesPerSecond: 1e6)
  }

  /// Grants time for a request.
  ///
  /// - Parameters:
  ///   - bytes: the bytes that the reader may have to go through: those of the answer and those of
  ///     the file, because one tile may hold the whole image.
  ///   - opens: whether the request opens a file.
  ///   - used: the reader's processor time so far, in seconds. Time that the reader used between
  ///     requests, when it had nothing to do, is taken off.
  ///   - now: the time of a monotonic clock, in seconds.
  mutating func begin(bytes: Int, opens: Bool, used: Double, now: Double) {
    chargeProcessor(used)
    lastCheck = now
    processor.grant(bytes: bytes, opens: opens)
    waiting.grant(bytes: bytes, opens: opens)
  }

  /// Takes off the time since the last call. If an account is overdrawn, returns the reason to end
  /// a reader that has not answered yet.
  mutating func check(used: Double, now: Double) -> ReaderEnding? {
    chargeProcessor(used)
    waiting.charge(min(now - lastCheck, Self.longestInterval))
    lastCheck = now
    if processor.isOverdrawn { return .outOfTime }
    return waiting.isOverdrawn ? .silent : nil
  }

  /// Takes off the processor time that the reader used since the last request was answered. Closing
  /// images takes a part of it.
  mutating func checkBetweenRequests(used: Double) -> ReaderEnding? {
    chargeProcessor(used)
    return processor.isOverdrawn ? .outOfTime : nil
  }

  private mutating func chargeProcessor(_ used: Double) {
    // The system reports 0 for a process that is gone.
    processor.charge(max(0, used - self.used))
    self.used = max(used, self.used)
  }
}

/// Seconds that are granted and taken off.
private struct TimeAccount {
  /// The seconds that opening a file grants. It is also the most that one request leaves for the
  /// next: the unused time of many small requests must not let one run in an endless loop.
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

  mutating func charge(_ seconds: Double) { left -= seconds }
}
