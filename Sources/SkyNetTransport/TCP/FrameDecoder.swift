package import NIOCore
package import SkyNetCore

import struct Foundation.Data

/// Cuts the bytes of a connection into frames. A head that is wrong ends it before any of the
/// bytes that it announces are waited for.
package struct FrameDecoder: NIOSingleStepByteToMessageDecoder {
  package typealias InboundOut = Frame

  private let limits: WireLimits

  package init(limits: WireLimits) {
    self.limits = limits
  }

  package mutating func decode(buffer: inout ByteBuffer) throws -> Frame? {
    guard buffer.readableBytes >= FrameHeader.byteCount else { return nil }
    let header = try buffer.withUnsafeReadableBytes { bytes in
      try FrameHeader(parsing: bytes, limits: limits)
    }
    let bodyCount = Int(header.bodyCount)
    guard buffer.readableBytes >= FrameHeader.byteCount + bodyCount else { return nil }
    buffer.moveReaderIndex(forwardBy: FrameHeader.byteCount)
    let body = buffer.readSlice(length: bodyCount).map { slice in
      slice.withUnsafeReadableBytes { $0.isEmpty ? Data() : Data($0) }
    }
    return Frame(header: header, body: body ?? Data())
  }

  package mutating func decodeLast(buffer: inout ByteBuffer, seenEOF: Bool) throws -> Frame? {
    if let frame = try decode(buffer: &buffer) { return frame }
    guard buffer.readableBytes == 0 || !seenEOF else {
      throw WireError(.truncated, "the connection ended within a frame")
    }
    return nil
  }
}
