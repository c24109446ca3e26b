import Foundation
import Testing

/// The bytes that an eavesdropper on the network can read.
@Suite("A captured connection", .timeLimit(.ample))
struct CaptureTests {
  /// Words that hellos, calls and answers contain.
  private static let words = ["protocolVersion", "simulated", "sector", "seconds", "incarnation"]

  @Test(
    "A captured connection shows no word of hellos, calls and answers", arguments: [false, true])
  func nothingIsReadableOnTheWire(isInsecure: Bool) async throws {
    try await Stage.with { stage in
      let options = isInsecure ? ["--insecure"] : []
      let a = try await RunningNode(
        stage.skynet(["node", "--name", "a", "--host", "127.0.0.1", "--no-discovery"] + options))
      let wire = try TappedWire(to: a.port)
      defer { wire.stop() }
      let run = try stage.engage(
        peers: [wire.port],
        ["--no-local", "--total", "100", "--scan-seconds", "0", "--failing-every", "7"] + options)
      try await run.outcome().expectEverySectorOnce(of: 100)
      let text = String(decoding: wire.captured, as: UTF8.self)
      #expect(wire.captured.count > 10_000)
      for word in Self.words {
        // Without encryption the words are found, so the search works.
        #expect(text.contains(word) == isInsecure, "\(word)")
      }
    }
  }
}

/// A proxy for one connection to a port of this machine, which records the data of both directions.
final class TappedWire: Sendable {
  let port: Int
  private let descriptor: Int32
  private let bytes = AwaitedValue(Data())

  init(to target: Int) throws {
    (descriptor, port) = try makeListener()
    Thread.detachNewThread { [descriptor, bytes] in
      while case let client = accept(descriptor, nil, nil), client >= 0 {
        guard let server = try? makeSocket() else { return }
        let isConnected: ()? = try? withAddress(port: target) {
          guard connect(server, $0, $1) == 0 else { throw systemError("connect") }
        }
        guard isConnected != nil else { return }
        for (from, to) in [(client, server), (server, client)] {
          Thread.detachNewThread { Self.pump(from, to, bytes) }
        }
      }
    }
  }

  var captured: Data { bytes.state }

  func stop() {
    shutdown(descriptor, Int32(SHUT_RDWR))
    close(descriptor)
  }

  private static func pump(_ from: Int32, _ to: Int32, _ bytes: AwaitedValue<Data>) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = recv(from, &buffer, buffer.count, 0), count > 0 {
      bytes.change { $0.append(contentsOf: buffer.prefix(count)) }
      guard send(to, buffer, count, noSignal) == count else { break }
    }
    shutdown(to, Int32(SHUT_WR))
  }
}
