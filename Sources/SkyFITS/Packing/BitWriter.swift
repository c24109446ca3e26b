/// Writes bits to memory, the most significant one of each byte first.
///
/// The caller sees to the room: each call of ``put(_:count:)`` writes ``bytesAtOnce`` bytes after
/// the whole ones.
struct BitWriter {
  static let bytesAtOnce = 8
  /// The most bits that can be put at once.
  static let most = 56

  private let memory: UnsafeMutableRawPointer
  /// The bytes all of whose bits are written.
  private(set) var wholeBytes = 0
  /// The bits after the whole bytes, from the top, with zeros after them.
  private var rest: UInt64 = 0
  /// Less than 8.
  private var restCount = 0

  init(into memory: UnsafeMutableRawPointer) { self.memory = memory }

  /// The bytes with at least one bit.
  var bytes: Int { wholeBytes + (restCount > 0 ? 1 : 0) }

  /// Appends the lowest `count` bits, of which there are 1 to ``most``; all higher bits are 0.
  @inline(__always)
  mutating func put(_ bits: UInt64, count: Int) {
    restCount &+= count
    rest |= bits &<< UInt64(truncatingIfNeeded: 64 &- restCount)
    memory.storeBytes(of: rest.bigEndian, toByteOffset: wholeBytes, as: UInt64.self)
    let whole = restCount &>> 3
    wholeBytes &+= whole
    rest &<<= UInt64(truncatingIfNeeded: whole &<< 3)
    restCount &= 7
  }
}
