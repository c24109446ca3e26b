package import NIOCore
import NIOFoundationEssentialsCompat
package import SkyNetCore

import struct Foundation.Data

/// Cuts the bytes of a connection into frames. It checks a frame's head before it waits for the bytes that
/// the head announces.
///
/// It does not wait for a whole chunk: it passes on what has arrived as a smaller chunk, so that the bytes go
/// to their message without being gathered here first.
package struct FrameDecoder: NIOSingleStepByteToMessageDecoder {
  package typealias InboundOut = Frame

  private let limits: WireLimits
  /// A head for the rest of the chunk that is arriving.
  private var chunk: FrameHeader?
  /// Whether a frame has arrived, which shows that the peer is a SkyNet peer.
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
    // A copy, as the body may live long, and NIO uses the buffer again.
    let body = buffer.readData(length: bodyCount, byteTransferStrategy: .copy)
    return Frame(header: header, body: body ?? Data())
  }

  /// The part of a chunk that has arrived, without a copy: `MessageAssembler` copies it into its message at
  /// once.
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
