package import NIOCore
import NIOFoundationEssentialsCompat
package import SkyNetCore

import struct Foundation.Data

/// Cuts the bytes of a connection into frames. A head that is wrong ends it before any of the
/// bytes that it announces are waited for.
///
/// A chunk is not waited for as a whole: what has come of it is passed on as a smaller one, so that
/// its bytes go where they belong without being gathered here first.
package struct FrameDecoder: NIOSingleStepByteToMessageDecoder {
  package typealias InboundOut = Frame

  private let limits: WireLimits
  /// A chunk that is coming, as its head would be for what has not come yet.
  private var chunk: FrameHeader?
  /// Whether a frame has come: after one, its peer is a SkyNet peer.
  private var hasBegun = false

  package init(limits: WireLimits) {
    self.limits = limits
  }

  package mutating func decode(buffer: inout ByteBuffer) throws -> Frame? {
    if let chunk { return part(of: chunk, from: &buffer) }
    guard buffer.readableBytes >= FrameHeader.byteCount else { return nil }
    let header = try buffer.withUnsafeReadableBytes { bytes in
      try FrameHeader(parsing: bytes, limits: limits, isFirst: !hasBegun)
    }
    hasBegun = true
    let bodyCount = Int(header.bodyCount)
    let isChunk = header.kind == .chunk && bodyCount > 0
    guard isChunk || buffer.readableBytes >= FrameHeader.byteCount + bodyCount else { return nil }
    buffer.moveReaderIndex(forwardBy: FrameHeader.byteCount)
    if isChunk { return part(of: header, from: &buffer) }
    // A copy: it may live long, and the buffer is used for the next reading.
    let body = buffer.readData(length: bodyCount, byteTransferStrategy: .copy)
    return Frame(header: header, body: body ?? Data())
  }

  /// What is there of a chunk, without a copy: whoever takes it puts it with the rest at once.
  private mutating func part(of chunk: FrameHeader, from buffer: inout ByteBuffer) -> Frame? {
    var (part, rest) = (chunk, chunk)
    part.bodyCount = min(chunk.bodyCount, UInt32(clamping: buffer.readableBytes))
    rest.bodyCount -= part.bodyCount
    self.chunk = rest.bodyCount > 0 ? rest : nil
    guard part.bodyCount > 0 else { return nil }
    let bytes = buffer.readData(length: Int(part.bodyCount), byteTransferStrategy: .noCopy)
    return bytes.map { Frame(header: part, body: $0) }
  }

  package mutating func decodeLast(buffer: inout ByteBuffer, seenEOF: Bool) throws -> Frame? {
    if let frame = try decode(buffer: &buffer) { return frame }
    guard buffer.readableBytes == 0 && chunk == nil || !seenEOF else {
      throw WireError(.truncated, "the connection ended within a frame")
    }
    return nil
  }
}
