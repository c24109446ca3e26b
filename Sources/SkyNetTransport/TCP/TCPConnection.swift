import NIOCore
import SkyNetCluster
import SkyNetCore
import Synchronization

/// A connection over TCP. Messages that are sent within one turn of the event loop share writes.
final class TCPConnection: Connection {
  /// Closures to call when all bytes of a call have been sent, by the call's number.
  typealias SentCallbacks = [UInt64: @Sendable () -> Void]

  private struct Outbox {
    var messages: [Message] = []
    var sentCallbacks: SentCallbacks = [:]
  }

  /// So many messages of one turn are written before the turn ends, so that the peer has something to do meanwhile.
  private static let most = 16

  let heldLimit: Int
  let memory: MemoryBudget.Account?
  let fingerprint: String?
  private let channel: any Channel
  /// The peer's address when the connection was made, if it was known then: a closed channel has none.
  private let firstAddress: SocketAddress?
  private let handler: NIOLoopBound<ConnectionHandler>
  private let counter: ByteCounter
  private let outbox = Mutex(Outbox())

  /// Adds a `ConnectionHandler` to the channel's pipeline. To be called on the channel's event loop.
  ///
  /// - Parameters:
  ///   - counter: the pipeline's first handler.
  ///   - fingerprint: that of the key or CA by which the peer was authenticated.
  init(
    channel: any Channel, counter: ByteCounter, limits: WireLimits, budget: MemoryBudget,
    closingTimeout: Duration, fingerprint: String?
  ) throws {
    self.channel = channel
    self.fingerprint = fingerprint
    firstAddress = channel.remoteAddress
    heldLimit = limits.held
    self.counter = counter
    let handler = ConnectionHandler(
      eventLoop: channel.eventLoop, limits: limits, closingTimeout: closingTimeout
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

  /// While this side does not read from the peer, each look counts as a sign of life: the silence is not the
  /// peer's fault.
  var signsOfLife: Int {
    memory?.turn == .waits
      ? counter.total.add(1, ordering: .relaxed).newValue : counter.total.load(ordering: .relaxed)
  }

  func send(_ message: Message, whenSent: (@Sendable () -> Void)?) {
    let hasBulk = message.kind == .call && !message.bulk.isEmpty
    defer { if !hasBulk { whenSent?() } }
    let count = outbox.withLock { outbox in
      if hasBulk, let whenSent { outbox.sentCallbacks[message.call] = whenSent }
      outbox.messages.append(message)
      return outbox.messages.count
    }
    if count == 1 {
      // A write is scheduled for as long as there are messages.
      channel.eventLoop.execute { self.writeOutbox() }
    } else if count == Self.most, channel.eventLoop.inEventLoop {
      writeOutbox()
    }
  }

  func whenBehind(_ tell: @escaping @Sendable (_ isBehind: Bool) -> Void) {
    channel.eventLoop.execute { self.handler.value.whenBehind = tell }
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
    if outbox.messages.isEmpty { return }
    handler.value.write(outbox.messages, sentCallbacks: outbox.sentCallbacks)
  }

  private func takeOutbox() -> Outbox {
    outbox.withLock { outbox in
      defer { outbox = Outbox() }
      return outbox
    }
  }
}
