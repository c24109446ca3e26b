/// Decides whether the pixels that are sent to a system are packed: by what has taken less time so far.
///
/// Packing halves the bytes of most images, and costs processor time at both ends. It pays where the
/// network is slow, and not between processes of one machine. Nothing but the time that sectors take
/// on their way tells which of them it is: both ways are tried first, and the other one again from
/// time to time, as networks change (an ε-greedy choice among two arms).
struct PackingChoice: Sendable {
  /// How many sectors go each way before one is chosen.
  static let trials = 3
  /// After so many sectors, one goes the other way.
  static let retrial = 50
  /// The weight of what is known when a sector is added.
  private static let memory = 0.9

  private struct Way {
    var begun = 0
    var seconds = 0.0
    var bytes = 0.0

    /// `nil` if no sector has arrived this way.
    var secondsPerByte: Double? { bytes > 0 ? seconds / bytes : nil }

    mutating func add(_ more: Double, _ count: Int) {
      seconds = seconds * PackingChoice.memory + more
      bytes = bytes * PackingChoice.memory + Double(count)
    }
  }

  private var plain = Way()
  private var packed = Way()

  /// Whether the next sector is packed.
  mutating func next() -> Bool {
    let isPacked = choice
    if isPacked { packed.begun += 1 } else { plain.begun += 1 }
    return isPacked
  }

  private var choice: Bool {
    if plain.begun < Self.trials { return false }
    if packed.begun < Self.trials { return true }
    guard let plainly = plain.secondsPerByte, let inPacks = packed.secondsPerByte else {
      // Nothing is known yet of one way, so it is given time.
      return plain.secondsPerByte == nil && packed.secondsPerByte != nil
    }
    let isRetrial = (plain.begun + packed.begun) % Self.retrial == 0
    return (inPacks < plainly) != isRetrial
  }

  /// A sector has arrived.
  ///
  /// - Parameters:
  ///   - bytes: of its pixels before they were packed.
  ///   - seconds: on its way, with packing and unpacking.
  mutating func delivered(isPacked: Bool, bytes: Int, in seconds: Double) {
    if isPacked { packed.add(seconds, bytes) } else { plain.add(seconds, bytes) }
  }
}
