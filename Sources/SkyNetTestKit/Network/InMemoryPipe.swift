import SkyNetCluster
import SkyNetCore
import Synchronization

/// One direction of a connection: messages from the source wait here until the destination receives and the
/// network lets them through.
final class InMemoryPipe: Sendable {
  typealias End = Result<Void, any Error>
  typealias Receiver = (
    handle: @Sendable (Message) -> Void, ended: CheckedContinuation<Void, any Error>
  )

  private enum Item {
    case message(Message)
    case end(End)
  }

  private enum Step {
    case message(Message, handle: @Sendable (Message) -> Void)
    case end(End, of: CheckedContinuation<Void, any Error>)
  }

  private struct State {
    var items: [Item] = []
    var isClosed = false
    /// The result with which receiving ends, even if messages wait. It is set when the destination abandons the
    /// pipe.
    var abandonment: End?
    var receiver: Receiver?
    var isPumping = false
    var bytesReceived = 0
  }

  private static let limits = WireLimits()

  let source: String
  let destination: String
  private let executor: any EngineExecutor
  private let arrived: Watched<[FrameKind: Int]>
  private let isOpen: @Sendable (_ from: String, _ to: String) -> Bool
  private let state = Mutex(State())

  init(
    from source: String, to destination: String, on executor: any EngineExecutor,
    _ arrived: Watched<[FrameKind: Int]>,
    isOpen: @escaping @Sendable (_ from: String, _ to: String) -> Bool
  ) {
    self.source = source
    self.destination = destination
    self.executor = executor
    self.arrived = arrived
    self.isOpen = isOpen
  }

  var bytesReceived: Int { state.withLock { $0.bytesReceived } }

  var isAbandoned: Bool { state.withLock { $0.abandonment != nil && $0.receiver == nil } }

  // MARK: The source

  /// Sends a message. One that is larger than the protocol allows ends the connection, as it would over TCP.
  func send(_ message: Message) {
    let end: End?
    do throws(WireError) {
      try Self.limits.check(message.frame.header)
      end = nil
    } catch {
      end = .failure(error)
    }
    state.withLock { state in
      guard !state.isClosed else { return }
      state.isClosed = end != nil
      state.items.append(end.map { .end($0) } ?? .message(message))
    }
    pump()
  }

  /// Ends the pipe. The destination learns of it after all messages that were sent before.
  func close(saying last: Message? = nil, _ end: End = .success(())) {
    state.withLock { state in
      guard !state.isClosed else { return }
      state.isClosed = true
      if let last { state.items.append(.message(last)) }
      state.items.append(.end(end))
    }
    pump()
  }

  // MARK: The destination

  func receive(_ receiver: Receiver) {
    state.withLock { state in
      precondition(state.receiver == nil, "a connection is received from once")
      state.receiver = receiver
    }
    pump()
  }

  /// Ends the destination's receiving, though not while it handles a message.
  func abandon(_ end: End = .success(())) {
    state.withLock { $0.abandonment = $0.abandonment ?? end }
    pump()
  }

  // MARK: Delivery

  /// Whether a message is on its way that can be delivered.
  var isBusy: Bool { state.withLock { $0.isPumping } }

  /// Has the executor deliver the messages that can be delivered, in their order.
  func pump() {
    let isMine = state.withLock { state in
      defer { state.isPumping = true }
      return !state.isPumping
    }
    if isMine { executor.execute { self.deliver() } }
  }

  private func deliver() {
    while let step = next() {
      switch step {
      case .message(let message, let handle):
        handle(message)
        arrived.update { $0[message.kind, default: 0] += 1 }
      case .end(let end, let continuation): continuation.resume(with: end)
      }
    }
  }

  private func next() -> Step? {
    state.withLock { state in
      guard let receiver = state.receiver else {
        state.isPumping = false
        return nil
      }
      if let end = state.abandonment {
        state.receiver = nil
        return .end(end, of: receiver.ended)
      }
      guard isOpen(source, destination), !state.items.isEmpty else {
        state.isPumping = false
        return nil
      }
      switch state.items.removeFirst() {
      case .message(let message):
        state.bytesReceived += Self.byteCount(of: message)
        return .message(message, handle: receiver.handle)
      case .end(let end):
        state.receiver = nil
        state.abandonment = end
        return .end(end, of: receiver.ended)
      }
    }
  }

  /// How many bytes the message would take on the wire, with the heads of its chunks.
  private static func byteCount(of message: Message) -> Int {
    let chunks = (message.bulk.count + WireLimits.chunk - 1) / WireLimits.chunk
    return (1 + chunks) * FrameHeader.byteCount + message.body.count + message.bulk.count
  }
}
