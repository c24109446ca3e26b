import SkyNetCore

extension Seeds {
  static let frames: Named = [
    "empty": [],
    "hello": cut(frame(.hello, body: helloText)),
    "call": cut(frame(.call, target: 1, call: 1, body: simulatedTask)),
    "call-in-chunks": cut(
      frame(.call, target: 1, call: 2, body: "{}", bulk: 5),
      frame(.ping), frame(.chunk, target: 2, call: 2, body: "abc"),
      frame(.chunk, target: 2, call: 2, body: "de")),
    "reply-in-chunks": cut(
      frame(.reply, call: 3, body: "{}", bulk: 3), frame(.chunk, target: 5, call: 3, body: "abc")),
    "same-call-both-ways": cut(
      frame(.call, target: 1, call: 4, body: "1", bulk: 2),
      frame(.reply, call: 4, body: "2", bulk: 2), frame(.chunk, target: 5, call: 4, body: "ab"),
      frame(.chunk, target: 2, call: 4, body: "cd")),
    "cancelled-amid-chunks": cut(
      frame(.call, target: 1, call: 5, bulk: 9), frame(.chunk, target: 2, call: 5, body: "abc"),
      frame(.cancel, call: 5), frame(.call, target: 1, call: 5, body: "1")),
    "failed-amid-chunks": cut(
      frame(.reply, call: 6, bulk: 9), frame(.chunk, target: 5, call: 6, body: "abc"),
      frame(.failure, call: 6, body: failureText)),
    "no-bodies": cut(
      frame(.started, call: 7), frame(.cancel, call: 7), frame(.ping), frame(.pong),
      frame(.drain)),
    "failure": cut(frame(.failure, call: 8, body: failureText)),
    "goodbye": cut(frame(.goodbye, body: #"{"message":"leaving"}"#)),
    "chunk-of-nothing": cut(frame(.chunk, target: 2, call: 9, body: "abc")),
    "chunk-too-long": cut(
      frame(.call, target: 1, call: 10, bulk: 2), frame(.chunk, target: 2, call: 10, body: "abc")),
    "chunk-empty": cut(
      frame(.call, target: 1, call: 11, bulk: 2), frame(.chunk, target: 2, call: 11)),
    "call-twice-amid-chunks": cut(
      frame(.call, target: 1, call: 12, bulk: 2), frame(.call, target: 1, call: 12, bulk: 2)),
    "bulk-where-none-is": cut(frame(.hello, bulk: 1)),
    "body-4-gib": cut(frame(.call, target: 1, announcing: .max)),
    "body-largest": cut(frame(.call, target: 1, announcing: 16 << 20)),
    "chunk-over-limit": cut(frame(.chunk, target: 2, announcing: 256 * 1024 + 1)),
    "bulk-4-gib": cut(frame(.call, target: 1, bulk: .max)),
    "bulk-largest": cut(frame(.reply, call: 13, bulk: 1 << 30)),
    "unknown-kind": cut([0x53, 0x4B, 12] + [UInt8](repeating: 0, count: 17)),
    "truncated-head": cut([0x53, 0x4B, 8, 0, 0]),
    "truncated-body": cut(frame(.goodbye, announcing: 100), utf8("{\"mess")),
    "http": cut(utf8("GET / HTTP/1.1\r\nHost: sky\r\n\r\n")),
  ]

  /// An input of frames, with the sizes of the pieces in which they arrive before them.
  private static func cut(_ frames: [UInt8]...) -> [UInt8] { [0, 2, 18, 255] + frames.joined() }

  private static func frame(
    _ kind: FrameKind, target: UInt8 = 0, call: UInt64 = 0, body: String = "", bulk: UInt32 = 0,
    announcing bodyCount: UInt32? = nil
  ) -> [UInt8] {
    let header = FrameHeader(
      kind: kind, target: target, call: call, bodyCount: bodyCount ?? UInt32(body.utf8.count),
      bulkCount: bulk)
    return header.bytes + body.utf8
  }
}
