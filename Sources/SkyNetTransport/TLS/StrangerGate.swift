import NIOCore
import SkyNetCluster
import SkyNetCore

/// Stands before TLS while a connection is a stranger's: lets little in, knows by its first bytes
/// who does not even try, and goes away when the handshake is done.
final class StrangerGate: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// The first byte of a TLS handshake.
  private static let handshake: UInt8 = 22

  private let doorkeeper: Doorkeeper
  private let limits: StrangerLimits
  private let report: (TransportError) -> Void
  private var context: ChannelHandlerContext?
  private var ticket: Doorkeeper.Ticket?
  private var received = 0
  private var isRefused = false

  /// - Parameter report: told why a stranger was refused, once at most.
  init(
    doorkeeper: Doorkeeper, limits: StrangerLimits, report: @escaping (TransportError) -> Void
  ) {
    self.doorkeeper = doorkeeper
    self.limits = limits
    self.report = report
  }

  /// It is a member.
  func open() {
    leave()
    if let context { context.pipeline.syncOperations.removeHandler(self, promise: nil) }
  }

  /// Ends the connection there and then, without TLS's own farewells, which would wait for an
  /// answer.
  func refuse(_ error: TransportError) {
    guard !isRefused, ticket != nil, let context else { return }
    isRefused = true
    leave()
    report(error)
    context.close(promise: nil)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
    ticket = doorkeeper.enter { [eventLoop = context.eventLoop] in
      eventLoop.execute {
        bound.value.refuse(
          TransportError(.refused, "too many connect without showing who they are"))
      }
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isRefused else { return }
    let bytes = unwrapInboundIn(data)
    if received == 0, let first = bytes.readableBytesView.first, first != Self.handshake {
      return refusePlain(bytes, context)
    }
    received += bytes.readableBytes
    guard received <= limits.bytes else {
      return refuse(
        TransportError(.refused, "it sent \(received) bytes without showing who it is"))
    }
    context.fireChannelRead(data)
  }

  func channelInactive(context: ChannelHandlerContext) {
    leave()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    leave()
    self.context = nil
  }

  private func leave() {
    if let ticket { doorkeeper.leave(ticket) }
    ticket = nil
  }

  /// Tells a SkyNet peer that does without encryption, in words that it understands.
  private func refusePlain(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
    guard FrameHeader.isBegunBy(bytes.readableBytesView) else {
      return refuse(TransportError(.refused, "it does not speak TLS"))
    }
    let goodbye = WireError(
      .notSkyNet,
      "this side takes encrypted connections only: run both with the cluster key, "
        + "or both with --insecure")
    var buffer = context.channel.allocator.buffer(capacity: 256)
    buffer.writeFrame(Message(.goodbye, encoding: Goodbye(goodbye)).frame)
    context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
    refuse(TransportError(.refused, "it runs with --insecure, and this side does not"))
  }
}

/// What a connection costs at most before its peer has shown who it is.
public struct StrangerLimits: Hashable, Sendable {
  /// How many there may be at a time.
  public var connections: Int
  /// How many bytes each may send.
  public var bytes: Int
  /// How long each may take.
  public var patience: Duration

  /// What a handshake of two round trips takes on a bad line.
  public static let shortestPatience = Duration.seconds(5)

  public init(
    connections: Int = 256, bytes: Int = 64 * 1024, patience: Duration = shortestPatience
  ) {
    self.connections = connections
    self.bytes = bytes
    self.patience = patience
  }

  /// The limits of a node that takes a peer for gone after this silence.
  ///
  /// A longer one gives strangers longer too. They stay as few: when one comes too many the oldest
  /// goes, whatever its time.
  public init(timeout: Duration) {
    self.init(patience: max(timeout, Self.shortestPatience))
  }
}
