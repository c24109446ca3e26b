import Foundation
import NIOCore
import NIOEmbedded
import SkyNetCore
import SkyNetTransport

/// The number of bytes at an input's start that give the sizes, in turn, of the pieces in which the
/// rest arrives.
private let cutCount = 4

/// Checks that a connection's bytes give the same frames however they are cut into pieces (only a
/// chunk may be split), that the frames encode to the same bytes, and that their messages survive
/// being forwarded.
func checkFrames(_ input: [UInt8]) throws {
  let stream = input.dropFirst(cutCount)
  let whole = try Reading(stream, pieces: [stream.count])
  let cuts = input.prefix(cutCount).map { Int($0) + 1 }
  try expectEqual(
    try Reading(stream, pieces: cuts).joined, whole.joined, "the frames of bytes cut at \(cuts)")
  try expectEqual(
    try Reading(stream, pieces: [1]).joined, whole.joined, "the frames of bytes one by one")

  let written = bytes(of: whole.complete)
  try expect(stream.starts(with: written), "frames are the bytes that they were read from")
  if whole.error == nil {
    try expectEqual(written.count, stream.count, "bytes of frames, with no error")
  }

  var assembler = MessageAssembler()
  var bulk = 0
  do {
    for frame in whole.frames {
      guard let message = try assembler.receive(frame) else { continue }
      bulk += message.bulk.count
      try expect(bulk <= stream.count, "bulk bytes are among the received ones")
      try expectEqual(try forwarded(message), message, "a forwarded message")
    }
  } catch let error as WireError {
    try checkAnswer(to: error)
  }
}

/// The frames that a connection's decoder makes from bytes.
private struct Reading: Equatable {
  var frames: [Frame] = []
  var error: WireError?

  init(_ stream: ArraySlice<UInt8>, pieces: [Int]) throws {
    let channel = EmbeddedChannel(
      handler: ByteToMessageHandler(FrameDecoder(limits: WireLimits())))
    do {
      var rest = stream
      var turn = 0
      while !rest.isEmpty {
        let piece = rest.prefix(pieces.isEmpty ? 1 : pieces[turn % pieces.count])
        rest = rest.dropFirst(piece.count)
        turn += 1
        try channel.writeInbound(ByteBuffer(bytes: piece))
      }
      _ = try channel.finish()
    } catch let error as WireError {
      self.error = error
      try checkAnswer(to: error)
      _ = try? channel.finish()
    }
    while let frame = try channel.readInbound(as: Frame.self) { frames.append(frame) }
  }

  /// The same frames, with consecutive chunks of one message joined.
  var joined: Reading {
    var joined = self
    joined.frames = frames.reduce(into: []) { frames, frame in
      guard let last = frames.last, last.continues(in: frame) else { return frames.append(frame) }
      frames[frames.count - 1].header.bodyCount += frame.header.bodyCount
      frames[frames.count - 1].body += frame.body
    }
    return joined
  }

  /// The frames without a last chunk that may be incomplete.
  var complete: [Frame] {
    error != nil && frames.last?.header.kind == .chunk ? frames.dropLast() : frames
  }
}

extension Frame {
  fileprivate func continues(in next: Frame) -> Bool {
    header.kind == .chunk && next.header.kind == .chunk && header.call == next.header.call
      && header.target == next.header.target && header.bulkCount == next.header.bulkCount
  }
}

private func bytes(of frames: [Frame]) -> [UInt8] {
  frames.reduce(into: []) { bytes, frame in
    bytes += frame.header.bytes
    bytes += frame.body
  }
}

/// The message after it was sent over another connection.
private func forwarded(_ message: Message) throws -> Message? {
  var queue = OutboundQueue()
  queue.enqueue(message)
  var assembler = MessageAssembler()
  var received: Message?
  while let frame = queue.next() {
    try expect(received == nil, "a message is whole with its last frame")
    received = try assembler.receive(frame)
  }
  return received
}
