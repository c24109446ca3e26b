package import struct Foundation.Data

/// One message between peers: the header and body of a frame, with all bulk bytes.
package struct Message: Hashable, Sendable {
  package var kind: FrameKind
  /// The distributed method that a call is for; 0 in messages of other kinds.
  package var target: UInt8
  /// The id that a call, its chunks and its answers share. The caller chooses it.
  package var call: UInt64
  package var body: Data
  package var bulk: Data

  package init(
    _ kind: FrameKind, target: UInt8 = 0, call: UInt64 = 0, body: Data = Data(),
    bulk: Data = Data()
  ) {
    self.kind = kind
    self.target = target
    self.call = call
    self.body = body
    self.bulk = bulk
  }

  /// The frame without the bulk bytes, which follow in chunks.
  package var frame: Frame {
    Frame(
      header: FrameHeader(
        kind: kind, target: target, call: call, bodyCount: UInt32(body.count),
        bulkCount: UInt32(bulk.count)),
      body: body)
  }
}

package struct Frame: Hashable, Sendable {
  package var header: FrameHeader
  package var body: Data

  package init(header: FrameHeader, body: Data) {
    self.header = header
    self.body = body
  }
}
