import NIOCore
import SkyNetCore
import Synchronization

/// A connection over TCP. Sending gathers: what is queued within one turn of the event loop leaves
/// in one write.
final class TCPConnection: Connection {
  private struct Outbox {
    var messages: [Message] = []
    /// Whether the event loop already knows that there are some.
    var isAnnounced = false
  }

  /// As many as share a write at least, if there are as many. With more the peer would wait for
  /// work while this side goes on making some.
  private static let handful = 16

  let executor: (any TaskExecutor)?
  let heldLimit: Int
  private let channel: any Channel
  /// The other end's address as it was at first, if it was known then: a channel that is closed has
  /// none.
  private let firstAddress: SocketAddress?
  private let handler: NIOLoopBound<ConnectionHandler>
  private let counter: ByteCounter
  private let outbox = Mutex(Outbox())

  /// Adds itself to the channel's pipeline. To be called on the channel's event loop.
  ///
  /// - Parameters:
  ///   - counter: stands where the socket's bytes come in.
  ///   - serves: whether to take nothing from a peer that does not read.
  init(
    channel: any Channel, counter: ByteCounter, limits: WireLimits, closingTimeout: Duration,
    serves: Bool
  ) throws {
    self.channel = channel
    firstAddress = channel.remoteAddress
    heldLimit = limits.held
    self.counter = counter
    executor = EventLoopExecutor(channel.eventLoop)
    let handler = ConnectionHandler(
      eventLoop: channel.eventLoop, limits: limits, closingTimeout: closingTimeout, serves: serves
    ) { [counter] in
      counter.total.add(1, ordering: .relaxed)
    }
    self.handler = NIOLoopBound(handler, eventLoop: channel.eventLoop)
    try channel.pipeline.syncOperations.addHandler(handler)
  }

  var remoteAddress: String {
    (channel.remoteAddress ?? firstAddress)?.spelledOut ?? "an unknown address"
  }

  var signsOfLife: Int { counter.total.load(ordering: .relaxed) }

  func send(_ message: Message) {
    let (isFirst, count) = outbox.withLock { outbox in
      outbox.messages.append(message)
      defer { outbox.isAnnounced = true }
      return (!outbox.isAnnounced, outbox.messages.count)
    }
    if count >= Self.handful, channel.eventLoop.inEventLoop {
      handler.value.write(takeOutbox())
    } else if isFirst {
      channel.eventLoop.execute { self.handler.value.write(self.takeOutbox()) }
    }
  }

  func receive(_ handle: @escaping @Sendable (Message) -> Void) async throws {
    try await withTaskCancellationHandler {
      let ended = channel.eventLoop.flatSubmit { self.handler.value.start(handle) }
      try await ended.get()
    } onCancel: {
      close(saying: nil)
    }
  }

  func close(saying last: Message?) {
    channel.eventLoop.execute {
      self.handler.value.close(after: self.takeOutbox() + (last.map { [$0] } ?? []))
    }
  }

  private func takeOutbox() -> [Message] {
    outbox.withLock { outbox in
      defer { outbox = Outbox() }
      return outbox.messages
    }
  }
}

extension SocketAddress {
  /// `address:port`, with an IPv6 address in brackets.
  var spelledOut: String {
    guard let ipAddress, let port else { return description }
    return Endpoint(host: ipAddress, port: port).description
  }
}
