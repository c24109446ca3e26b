/// Decides whether the pixels that are sent to a system are packed: where the time that the saved bytes
/// would take on the way is longer than packing and unpacking take.
///
/// How fast the way is shows in how long sectors were on it. That counts what else uses the network and
/// how busy both machines are. A sector waits behind others on its way, so its bytes over its time would
/// be too low a rate. Here all bytes that arrived are divided by the time in which any were under way.
struct PackingChoice: Sendable {
  /// After so many sectors one is packed even though former ones hardly became smaller: images differ.
  static let retrial = 50
  /// The weight of what is known when a sector arrives.
  private static let memory = 0.9
  /// Unpacking takes one and a half times as long as packing, by measurement.
  private static let timesPacking = 2.5
  /// What is taken to be true before a sector was packed: seconds for a byte, and the part of the bytes that
  /// is saved.
  private static let (usualSeconds, usualSaving) = (2e-9, 0.5)

  private var sent = 0
  private var busyUntil = -Double.infinity
  private var busySeconds = 0.0
  private var arrivedBytes = 0.0
  private var plainBytes = 0.0
  private var packedBytes = 0.0
  private var packingSeconds = 0.0

  /// Whether the next sector is packed.
  mutating func next() -> Bool {
    sent += 1
    guard arrivedBytes > 0 else { return false }
    guard plainBytes > 0 else { return pays(Self.usualSaving, for: Self.usualSeconds) }
    let cost = packingSeconds * Self.timesPacking / plainBytes
    return pays(1 - packedBytes / plainBytes, for: cost)
      || sent % Self.retrial == 0 && pays(Self.usualSaving, for: cost)
  }

  /// Whether saving this part of the bytes is worth so many seconds for each.
  private func pays(_ saving: Double, for seconds: Double) -> Bool {
    saving * busySeconds / arrivedBytes > seconds
  }

  /// A sector was packed.
  mutating func packed(_ bytes: Int, into smaller: Int, in seconds: Double) {
    plainBytes = plainBytes * Self.memory + Double(bytes)
    packedBytes = packedBytes * Self.memory + Double(smaller)
    packingSeconds = packingSeconds * Self.memory + seconds
  }

  /// A sector has arrived: so many bytes, packed or not, that were under way from one time to the other, in
  /// seconds since any origin.
  mutating func arrived(_ bytes: Int, from begin: Double, to end: Double) {
    busySeconds = busySeconds * Self.memory + max(0, end - max(begin, busyUntil))
    arrivedBytes = arrivedBytes * Self.memory + Double(bytes)
    busyUntil = max(busyUntil, end)
  }
}
