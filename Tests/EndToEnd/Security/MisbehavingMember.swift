import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import SkyNetCluster
import SkyNetCore
import SkyNetKeys
import SkyNetTransport

/// A member that holds the key, and sends within TLS what no correct member sends.
struct MisbehavingMember {
  private let security: TransportSecurity

  init(of stage: Stage) throws {
    let file = KeyFile(path: stage.account + "/skynet/cluster.key")
    security = try TransportSecurity(key: try file.read())
  }

  /// Sends bytes to a port of this machine, and returns when the other side has closed the
  /// connection.
  func say(_ bytes: [UInt8], to port: Int) async throws {
    guard let tls = security.tls else { return }
    let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          let handler = try NIOSSLClientHandler(
            context: tls.clientSides()[0].context, serverHostname: nil)
          try channel.pipeline.syncOperations.addHandler(handler)
          return channel
        }
      }
    // The other side may close before everything is sent.
    try? await channel.writeAndFlush(ByteBuffer(bytes: bytes))
    try await channel.closeFuture.get()
  }

  /// Introduces itself as a program with these kinds of scan, of another version of the software, and leaves
  /// when the other side has introduced itself too.
  func introduceItself(
    with kinds: [ScanKind], software: String, at port: Int
  ) async throws {
    let connection = try await TCPTransport(security)
      .connect(to: Endpoint(host: "127.0.0.1", port: port), timeout: .seconds(60))
    connection.send(
      Message(
        .hello,
        encoding: Hello(
          software: software, name: "ada", incarnation: Incarnation(), slots: 0,
          timeout: .seconds(5), scans: kinds)))
    try await connection.receive { message in
      if message.kind == .hello { connection.close(saying: nil) }
    }
  }

  /// Introduces itself as so many peers, which stay connected while the body runs.
  func stay(_ count: Int, withSlots slots: Int, at port: Int, _ body: () async throws -> Void)
    async throws
  {
    let transport = TCPTransport(security)
    let greeted = AwaitedValue(0)
    try await withThrowingDiscardingTaskGroup { group in
      for _ in 0..<count {
        let connection = try await transport.connect(
          to: Endpoint(host: "127.0.0.1", port: port), timeout: .seconds(60))
        connection.send(
          Message(
            .hello,
            encoding: Hello(
              name: "many", incarnation: Incarnation(), slots: slots, timeout: .seconds(60),
              scans: []))
        )
        group.addTask {
          try await connection.receive { message in
            if message.kind == .hello { greeted.change { $0 += 1 } }
            if message.kind == .ping { connection.send(Message(.pong)) }
          }
        }
      }
      try await greeted.value(within: .ample) { $0 == count ? .success(()) : nil }
      try await body()
      group.cancelAll()
    }
  }

  /// Introduces itself, and sends this many calls at once when the other side has. Returns the goodbye's message, if
  /// one comes.
  func call(_ count: Int, at port: Int) async throws -> String? {
    let connection = try await TCPTransport(security)
      .connect(to: Endpoint(host: "127.0.0.1", port: port), timeout: .seconds(60))
    connection.send(
      Message(
        .hello,
        encoding: Hello(
          name: "greedy", incarnation: Incarnation(), slots: 0, timeout: .seconds(5), scans: [])))
    let last = AwaitedValue<String?>(nil)
    try await connection.receive { message in
      switch message.kind {
      // From here on this side reads: what a node says last is lost to a peer that reads too late.
      case .hello:
        for id in 1...count {
          let body = Data(
            (#"{"pass":0,"number":\#(id),"run":"0000000000000001","kind":"simulated/1","attempt":1,"#
              + #""settings":{"seconds":60,"failingEvery":0},"sector":\#(id)}"#).utf8)
          connection.send(Message(.call, target: 1, call: UInt64(id), body: body))
        }
      case .goodbye: last.change { $0 = String(decoding: message.body, as: UTF8.self) }
      default: break
      }
    }
    return last.state
  }

  /// Random bytes; some begin like a correct message.
  static func nonsense(_ random: inout SplitMix64) -> [UInt8] {
    let beginnings: [[UInt8]] = [
      [], Array("SK".utf8), Array("SK".utf8) + [1, 0], Array("SK".utf8) + [2, 1],
    ]
    let count = Int.random(in: 32...8192, using: &random)
    return random.pick(beginnings)
      + (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }
}
