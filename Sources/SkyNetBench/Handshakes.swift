import Foundation
import NIOCore
import NIOEmbedded
import NIOSSL
import SkyNetKeys
import SkyNetTransport

/// Measures the cost of a TLS context for each accepted connection: full handshakes with one
/// context for all connections and with one for each, in turns. Both ends are in this process, on
/// one thread, without a network. It uses certificates if they are given, and a key otherwise.
enum HandshakeBench {
  private struct Settings {
    var connections = 500
    var runs = 5
    var security: TransportSecurity
  }

  private struct Figures {
    /// Processor time of both ends of a handshake, in seconds, with one context for all connections
    /// and with one for each.
    var shared = 0.0
    var own = 0.0
    /// Processor time to make a context, in seconds: the additional work of a listener's event
    /// loop.
    var making = 0.0
    /// Bytes of memory of a context; `nil` if the system does not report memory.
    var bytes: Int?
  }

  /// - Throws: `WrongArguments`; errors of TLS.
  static func run(_ options: Options) throws {
    let settings = try settings(options)
    guard let tls = settings.security.tls else { return }
    var all: [Figures] = []
    for number in 1...settings.runs {
      let figures = try measure(tls, settings.connections)
      all.append(figures)
      report("run \(number)", figures)
    }
    func median(_ value: (Figures) -> Double) -> Double { all.map(value).sorted()[all.count / 2] }
    report(
      "median",
      Figures(
        shared: median(\.shared), own: median(\.own), making: median(\.making),
        // Only the first run's figure includes memory that the process reuses for later contexts.
        bytes: all.first?.bytes))
  }

  private static func settings(_ given: Options) throws -> Settings {
    var options = given
    let files = [
      try options.text("--certificate"), try options.text("--key"), try options.text("--authority"),
    ].compactMap { $0 }
    guard files.isEmpty || files.count == 3 else {
      throw WrongArguments("--certificate, --key and --authority go together")
    }
    var settings = Settings(
      security: files.isEmpty
        ? try TransportSecurity(key: ClusterKey())
        : try TransportSecurity(
          certificates: CertificateFiles(
            certificate: files[0], key: files[1], authority: files[2])))
    settings.connections = try options.number("--connections") ?? settings.connections
    settings.runs = try options.number("--runs") ?? settings.runs
    try options.end()
    return settings
  }

  private static func measure(_ tls: TransportSecurity.TLS, _ count: Int) throws -> Figures {
    var figures = Figures()
    let before = residentBytes
    let start = ProcessorTime.ofThread
    let contexts = try (0..<count).map { _ in try tls.serverSide().context }
    figures.making = (ProcessorTime.ofThread - start) / Double(count)
    if let before, let after = residentBytes { figures.bytes = (after - before) / count }

    let client = try tls.clientSides()[0].context
    // In turns, so that other load on the machine affects both alike.
    for (turn, context) in contexts.enumerated() {
      let begin = ProcessorTime.ofThread
      let first = try shakeHands(client, contexts[0])
      let middle = ProcessorTime.ofThread
      let second = try shakeHands(client, context)
      let end = ProcessorTime.ofThread
      close(first)
      close(second)
      // The very first handshake also initializes data that all later ones use.
      guard turn > 0 else { continue }
      figures.shared += middle - begin
      figures.own += end - middle
    }
    figures.shared /= Double(max(1, count - 1))
    figures.own = figures.own / Double(max(1, count - 1)) + figures.making
    return figures
  }

  /// Makes a handshake, and returns the connection's two ends.
  private static func shakeHands(
    _ client: NIOSSLContext, _ server: NIOSSLContext
  ) throws -> [EmbeddedChannel] {
    let ends = [EmbeddedChannel(), EmbeddedChannel()]
    try ends[0].pipeline.syncOperations.addHandler(
      try NIOSSLClientHandler(context: client, serverHostname: nil))
    try ends[1].pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: server))
    for end in ends {
      end.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
    }
    // Data arrives only after both ends have authenticated.
    ends[0].writeAndFlush(ByteBuffer(string: "hello"), promise: nil)
    while try carry(from: ends[0], to: ends[1]) || carry(from: ends[1], to: ends[0]) {}
    guard try ends[1].readInbound(as: ByteBuffer.self) == ByteBuffer(string: "hello") else {
      throw WrongArguments("the two ends do not trust each other")
    }
    return ends
  }

  private static func close(_ ends: [EmbeddedChannel]) {
    for end in ends { end.close(promise: nil) }
    while (try? carry(from: ends[0], to: ends[1]) || carry(from: ends[1], to: ends[0])) == true {}
    for end in ends { end.embeddedEventLoop.advanceTime(by: .seconds(10)) }
  }

  private static func carry(from one: EmbeddedChannel, to other: EmbeddedChannel) throws -> Bool {
    var carried = false
    while let bytes = try one.readOutbound(as: ByteBuffer.self) {
      try other.writeInbound(bytes)
      carried = true
    }
    return carried
  }

  /// The resident memory of this process, in bytes.
  private static var residentBytes: Int? {
    let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    let pages = text?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return pages.map { $0 * Int(sysconf(CInt(_SC_PAGESIZE))) }
  }

  private static func report(_ name: String, _ figures: Figures) {
    func microseconds(_ seconds: Double) -> String { String(format: "%.0f", seconds * 1e6) }
    print(
      """
      \(name): a handshake takes \(microseconds(figures.shared)) µs of processor time at both ends \
      with one context for all, \(microseconds(figures.own)) with one for each: \
      \(String(format: "%.2f", figures.own / figures.shared)); to make one takes \
      \(microseconds(figures.making)) µs\(figures.bytes.map { " and \($0) bytes" } ?? "")
      """)
  }
}
