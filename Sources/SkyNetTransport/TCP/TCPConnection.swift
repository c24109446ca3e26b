import NIOCore
import SkyNetCluster
import SkyNetCore
import Synchronization

/// A connection over TCP. Sending gathers: what is queued within one turn of the event loop leaves
/// in one write.
final class TCPConnection: Connection {
  /// What to call when all of a call was sent, by the call's number.
  typealias Receipts = [UInt64: @Sendable () -> Void]

  private struct Outbox {
    var messages: [Message] = []
    var receipts: Receipts = [:]
    /// Whether the event loop already knows that there are some.
    var isAnnounced = false
  }

  /// As many as share a write at least, if there are as many. With more the peer would wait for
  /// work while this side goes on making some.
  private static let handful = 16

  let executor: (any TaskExecutor)?
  let heldLimit: Int
  let memory: MemoryBudget.Account?
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
    channel: any Channel, counter: ByteCounter, limits: WireLimits, budget: MemoryBudget,
    closingTimeout: Duration, serves: Bool
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
    try channel.pipeline.syncOperations.addHandler(handler)
    let bound = NIOLoopBound(handler, eventLoop: channel.eventLoop)
    self.handler = bound
    let memory = budget.account { [eventLoop = channel.eventLoop] in
      eventLoop.execute { bound.value.turnChanged() }
    }
    self.memory = memory
    handler.account(by: memory)
  }

  var remoteAddress: String {
    (channel.remoteAddress ?? firstAddress)?.spelledOut ?? "an unknown address"
  }

  /// A peer that this side does not read from is not to blame for its silence.
  var signsOfLife: Int {
    memory?.turn == .waits
      ? counter.total.add(1, ordering: .relaxed).newValue : counter.total.load(ordering: .relaxed)
  }

  func send(_ message: Message) { send(message, receipt: nil) }

  func send(_ message: Message, whenSent: @escaping @Sendable () -> Void) {
    guard message.kind == .call, !message.bulk.isEmpty else {
      send(message, receipt: nil)
      return whenSent()
    }
    send(message, receipt: whenSent)
  }

  private func send(_ message: Message, receipt: (@Sendable () -> Void)?) {
    let (isFirst, count) = outbox.withLock { outbox in
      outbox.messages.append(message)
      if let receipt { outbox.receipts[message.call] = receipt }
      defer { outbox.isAnnounced = true }
      return (!outbox.isAnnounced, outbox.messages.count)
    }
    if count >= Self.handful, channel.eventLoop.inEventLoop {
      writeOutbox()
    } else if isFirst {
      channel.eventLoop.execute { self.writeOutbox() }
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
      self.handler.value.close(after: self.takeOutbox().messages + (last.map { [$0] } ?? []))
    }
  }

  private func writeOutbox() {
    let outbox = takeOutbox()
    handler.value.write(outbox.messages, receipts: outbox.receipts)
  }

  private func takeOutbox() -> Outbox {
    outbox.withLock { outbox in
      defer { outbox = Outbox() }
      return outbox
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
