import Testing

@testable import SkyNetCore

extension FrameHeader {
  /// The header's bytes, after a change.
  func bytes(_ change: (inout [UInt8]) -> Void = { _ in }) -> [UInt8] {
    var bytes = self.bytes
    change(&bytes)
    return bytes
  }

  static func parse(_ bytes: [UInt8], limits: WireLimits = WireLimits()) throws -> FrameHeader {
    try bytes.withUnsafeBytes { try FrameHeader(parsing: $0, limits: limits) }
  }
}

@Suite("The header of a frame")
struct FrameHeaderTests {
  @Test("A header that is written is read the same", arguments: FrameKind.allCases)
  func roundTrip(kind: FrameKind) throws {
    let carriesBulk = kind == .call || kind == .reply
    let header = FrameHeader(
      kind: kind, target: 7, call: 0x0102_0304_0506_0708, bodyCount: 65_535,
      bulkCount: carriesBulk ? 1 << 30 : 0)
    #expect(try FrameHeader.parse(header.bytes()) == header)
  }

  @Test("The bytes of a header are where the protocol says, big-endian")
  func layout() {
    let header = FrameHeader(
      kind: .call, target: 2, call: 0x0102_0304_0506_0708, bodyCount: 0x0A0B, bulkCount: 0x0C0D)
    #expect(
      header.bytes() == [
        0x53, 0x4B, 2, 2, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0x0A, 0x0B, 0, 0, 0x0C, 0x0D,
      ])
  }

  @Test("Kinds of frame keep their numbers")
  func numbers() {
    #expect(FrameKind.allCases.map(\.rawValue) == Array(1...11))
    #expect(FrameKind.hello.rawValue == 1)
    #expect(FrameKind.goodbye.rawValue == 11)
  }

  @Test("The error for another protocol quotes its bytes in printable form")
  func notSkyNet() {
    let expected = WireError(
      .notSkyNet, "not a SkyNet peer: it sent \"HTTP/1.1 400 Bad Req\"")
    #expect(throws: expected) { try FrameHeader.parse(Array("HTTP/1.1 400 Bad Request".utf8)) }
    let dots = String(repeating: ".", count: 18)
    let binary = WireError(.notSkyNet, "not a SkyNet peer: it sent \"SS\(dots)\"")
    #expect(throws: binary) {
      try FrameHeader.parse([0x53, 0x53] + [UInt8](repeating: 0x1B, count: 18))
    }
  }

  @Test("An unknown kind of frame is refused with its number", arguments: [0, 12, 255] as [UInt8])
  func unknownKind(kind: UInt8) {
    let bytes = FrameHeader(kind: .ping).bytes { $0[2] = kind }
    #expect(throws: WireError(.unknownKind, "unknown kind of frame: \(kind)")) {
      try FrameHeader.parse(bytes)
    }
  }

  @Test("A body of four gigabytes is refused by its header alone")
  func hugeBody() {
    let bytes = FrameHeader(kind: .reply, bodyCount: .max).bytes()
    let expected = WireError(
      .tooLarge,
      "a reply frame is too large (4294967295 bytes), at most 16777216 is allowed")
    #expect(throws: expected) { try FrameHeader.parse(bytes) }
  }

  @Test("A body may be as large as the limit, and not a byte larger")
  func bodyLimit() throws {
    let limits = WireLimits(body: 100, bulk: 200)
    let most = FrameHeader(kind: .call, bodyCount: 100, bulkCount: 200)
    #expect(try FrameHeader.parse(most.bytes(), limits: limits) == most)
    for over in [
      FrameHeader(kind: .call, bodyCount: 101, bulkCount: 200),
      FrameHeader(kind: .call, bodyCount: 100, bulkCount: 201),
    ] {
      let error = #expect(throws: WireError.self) {
        try FrameHeader.parse(over.bytes(), limits: limits)
      }
      #expect(error?.code == .tooLarge)
    }
  }

  @Test("A chunk has a limit of its own")
  func chunkLimit() throws {
    let most = FrameHeader(kind: .chunk, bodyCount: UInt32(WireLimits.chunk))
    #expect(try FrameHeader.parse(most.bytes()) == most)
    let over = FrameHeader(kind: .chunk, bodyCount: UInt32(WireLimits.chunk) + 1)
    let error = #expect(throws: WireError.self) { try FrameHeader.parse(over.bytes()) }
    #expect(error?.code == .tooLarge)
  }

  @Test("Only calls and replies announce bulk bytes", arguments: FrameKind.allCases)
  func bulk(kind: FrameKind) throws {
    let header = FrameHeader(kind: kind, bulkCount: 1)
    guard kind != .call, kind != .reply else {
      #expect(try FrameHeader.parse(header.bytes()) == header)
      return
    }
    #expect(throws: WireError(.malformed, "a \(kind) frame has no bulk bytes")) {
      try FrameHeader.parse(header.bytes())
    }
  }
}
