import Foundation
import Testing

/// What somebody sees who sits on the wire.
@Suite(.timeLimit(.minutes(20)))
struct CaptureTests {
  /// Words of hellos, calls and answers.
  private static let words = ["protocolVersion", "simulated", "sector", "seconds", "incarnation"]

  @Test(arguments: [false, true])
  func nothingOfTheWorkIsOnTheWire(isInsecure: Bool) async throws {
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
        // That they are there without encryption shows that they would be seen.
        #expect(text.contains(word) == isInsecure, "\(word)")
      }
    }
  }
}

/// A proxy for one connection to a port of this machine, which keeps what passes, both ways.
final class TappedWire: Sendable {
  let port: Int
  private let descriptor: Int32
  private let bytes = Watched(Data())

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

  private static func pump(_ from: Int32, _ to: Int32, _ bytes: Watched<Data>) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = recv(from, &buffer, buffer.count, 0), count > 0 {
      bytes.change { $0.append(contentsOf: buffer.prefix(count)) }
      guard send(to, buffer, count, noSignal) == count else { break }
    }
    shutdown(to, Int32(SHUT_WR))
  }
}
