import Foundation
import SkyNetCore

/// The longest body of the answer to a protocol error; see `docs/protocol.md`.
private let longestAnswer = 16 * 1024

/// Checks that an error can be reported to the peer that caused it.
func checkAnswer(to error: WireError) throws {
  let said = Goodbye(error)
  let message = Message(.goodbye, encoding: said)
  try expect(message.body.count <= longestAnswer, "the answer to an error is short: \(said)")
  try expectEqual(try message.decodeBody(Goodbye.self), said, "a goodbye that is read again")
}

/// Checks that an accepted hello is the same after a round trip, and that its numbers are usable.
func checkHello(_ input: [UInt8]) throws {
  do {
    let hello = try Message(.hello, body: Data(input)).decodeHello()
    let again = try Message(.hello, encoding: hello).decodeHello()
    try expectEqual(again, hello, "a hello that is read again")
    var heartbeat = Heartbeat(
      timeout: .seconds(5), peerTimeout: .seconds(hello.timeoutSeconds), at: Instant())
    try expect(heartbeat.interval > .zero, "a peer is not pinged without a pause")
    _ = heartbeat.tick(signsOfLife: 1, at: Instant() + heartbeat.interval)
  } catch let error as WireError {
    try checkAnswer(to: error)
  }
}

func checkGoodbye(_ input: [UInt8]) throws {
  guard let goodbye = try? Message(.goodbye, body: Data(input)).decodeBody(Goodbye.self) else {
    return
  }
  let again = try Message(.goodbye, encoding: goodbye).decodeBody(Goodbye.self)
  try expectEqual(again, goodbye, "a goodbye that is read again")
}

func checkFailure(_ input: [UInt8]) throws {
  guard let failure = try? Message(.failure, body: Data(input)).decodeBody(CallFailure.self)
  else { return }
  let again = try Message(.failure, encoding: failure).decodeBody(CallFailure.self)
  try expectEqual(again, failure, "a failure that is read again")
  try checkMeasured(failure.seconds)
}

/// Checks that a peer's duration can be converted to milliseconds, as the result lines do.
func checkMeasured(_ seconds: Double) throws {
  let milliseconds = Int(exactly: (seconds * 1000).rounded())
  try expect((milliseconds ?? -1) >= 0, "a peer measured \(seconds) s")
}
