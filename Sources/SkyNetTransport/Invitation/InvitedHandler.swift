import NIOCore
import SkyNetKeys

/// The last handler of a connection to an invitation, from the time at which the peer has proved the code: sends
/// the keys, and waits for the peer's word that it has kept them.
final class InvitedHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let desk: Invitation.Desk
  private let host: String
  private let keys: @Sendable () throws -> ClusterKeys
  private let patience: TimeAmount
  private var visitor: InvitationDesk.Visitor?
  private var received = ""
  private var timer: Scheduled<Void>?

  init(
    _ desk: Invitation.Desk, host: String, keys: @escaping @Sendable () throws -> ClusterKeys,
    patience: TimeAmount
  ) {
    self.desk = desk
    self.host = host
    self.keys = keys
    self.patience = patience
  }

  func handlerAdded(context: ChannelHandlerContext) {
    // Another peer was faster.
    guard let visitor = desk.proved(host: host) else { return context.close(promise: nil) }
    let keys: ClusterKeys
    do {
      // Reads a small file, once in an invitation's life, so that nothing else waits for this event loop.
      keys = try self.keys()
    } catch {
      desk.decide { $0.unreadable(visitor, "\(error)") }
      return context.close(promise: nil)
    }
    self.visitor = visitor
    let text = ByteBuffer(string: InvitationWire.text(of: keys))
    context.writeAndFlush(wrapOutboundOut(text), promise: nil)
    let channel = context.channel
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: patience) {
      channel.close(promise: nil)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    received += String(buffer: unwrapInboundIn(data))
    guard let visitor, received.utf8.count >= InvitationWire.confirmation.utf8.count else { return }
    if received == InvitationWire.confirmation { desk.decide { $0.confirmed(visitor) } }
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    if let visitor { desk.decide { $0.lost(visitor) } }
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
