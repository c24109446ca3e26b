/// The purpose of a frame. The raw value goes over the wire and never changes its meaning.
package enum FrameKind: UInt8, Sendable, CaseIterable {
  /// The first frame in each direction; body: ``Hello``.
  case hello = 1
  /// Asks for a distributed call; body: its arguments. Bulk bytes may follow.
  case call = 2
  /// Bulk bytes of the call or reply with this call id.
  case chunk = 3
  /// The scan of this call has begun; body: none, or for how long it has run (``ScanStart``).
  case started = 4
  /// The call's return value. Bulk bytes may follow.
  case reply = 5
  /// The call failed; body: ``CallFailure``.
  case failure = 6
  /// The caller no longer wants the call. No body.
  case cancel = 7
  /// Asks for a pong; body: none, or what the sender tells (``PingBody``).
  case ping = 8
  case pong = 9
  /// The sender takes nothing new, and finishes its running scans. No body.
  case drain = 10
  /// The last frame; body: ``Goodbye``.
  case goodbye = 11
}

/// The fixed binary header of each frame, for routing only. 20 bytes, big-endian:
///
/// | bytes | what |
/// |---|---|
/// | 0–1 | `SK` |
/// | 2 | kind |
/// | 3 | in a call: the method; in a chunk: the kind of its message; else 0 |
/// | 4–11 | call id, else 0 |
/// | 12–15 | bytes of body that follow this head |
/// | 16–19 | bulk bytes that follow in chunks, of a call or a reply, else 0 |
package struct FrameHeader: Hashable, Sendable {
  package static let byteCount = 20
  private static let magic: (UInt8, UInt8) = (0x53, 0x4B)

  package var kind: FrameKind
  package var target: UInt8
  package var call: UInt64
  package var bodyCount: UInt32
  package var bulkCount: UInt32

  package init(
    kind: FrameKind, target: UInt8 = 0, call: UInt64 = 0, bodyCount: UInt32 = 0,
    bulkCount: UInt32 = 0
  ) {
    self.kind = kind
    self.target = target
    self.call = call
    self.bodyCount = bodyCount
    self.bulkCount = bulkCount
  }

  /// - Parameter isFirst: whether this is the first frame of its connection. Only then can the peer
  ///   be something other than SkyNet.
  package init(
    parsing bytes: UnsafeRawBufferPointer, limits: WireLimits, isFirst: Bool = true
  ) throws(WireError) {
    precondition(bytes.count >= Self.byteCount)
    guard bytes[0] == Self.magic.0, bytes[1] == Self.magic.1 else {
      throw .notSkyNet(bytes.prefix(Self.byteCount), isFirst: isFirst)
    }
    guard let kind = FrameKind(rawValue: bytes[2]) else {
      throw WireError(.unknownKind, "unknown kind of frame: \(bytes[2])")
    }
    self.kind = kind
    target = bytes[3]
    call = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt64.self))
    bodyCount = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
    bulkCount = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self))
    try limits.check(self)
  }

  /// Whether these bytes can be the start of a frame.
  package static func isBegunBy(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.starts(with: [magic.0, magic.1])
  }

  /// Writes ``byteCount`` bytes to the start of a buffer.
  package func write(to buffer: UnsafeMutableRawBufferPointer) {
    precondition(buffer.count >= Self.byteCount)
    buffer[0] = Self.magic.0
    buffer[1] = Self.magic.1
    buffer[2] = kind.rawValue
    buffer[3] = target
    buffer.storeBytes(of: call.bigEndian, toByteOffset: 4, as: UInt64.self)
    buffer.storeBytes(of: bodyCount.bigEndian, toByteOffset: 12, as: UInt32.self)
    buffer.storeBytes(of: bulkCount.bigEndian, toByteOffset: 16, as: UInt32.self)
  }

  package var bytes: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Self.byteCount) { buffer, count in
      write(to: UnsafeMutableRawBufferPointer(buffer))
      count = Self.byteCount
    }
  }
}
