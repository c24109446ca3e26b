import NIOCore
import NIOPosix
import SkyNetCore
import Synchronization

/// One attempt to connect to an endpoint. It ends at once when its task is cancelled: while the name is looked up,
/// while no address answers, and during the handshake. NIO alone would go on until the timeout is over.
final class ConnectAttempt<Made: Sendable>: Sendable {
  private struct State {
    /// The channels so far, one for each address that was tried, and what is made of them.
    var channels: [(channel: any Channel, made: EventLoopFuture<Made>)] = []
    var isCancelled = false
  }

  private let state = Mutex(State())
  private let made: EventLoopPromise<Made>

  private init(_ made: EventLoopPromise<Made>) { self.made = made }

  /// Connects, and waits for what is made of the channel that is connected.
  ///
  /// - Parameters:
  ///   - timeout: how long connecting may take, without what `prepare` begins.
  ///   - prepare: sets a channel up, on its event loop, and returns what is made of it. It is called for each
  ///     address that is tried.
  /// - Throws: ``Unreachable``; the error of what `prepare` has returned; `CancellationError`, as soon as the task is
  ///   cancelled, and all channels are closed.
  static func connect(
    to endpoint: Endpoint, timeout: Duration,
    with bootstrap: (any EventLoopGroup) -> ClientBootstrap = { ClientBootstrap(group: $0) },
    prepare: @escaping @Sendable (any Channel) throws -> EventLoopFuture<Made>
  ) async throws -> Made {
    let loop = try EventLoops.ofPeers()
    let attempt = ConnectAttempt(loop.makePromise())
    return try await withTaskCancellationHandler {
      bootstrap(loop)
        .connectTimeout(TimeAmount(timeout))
        .onAnyLink(to: endpoint, loop)
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture { try attempt.add(channel, prepare(channel)) }
        }
        .connect(host: endpoint.host, port: endpoint.port)
        .whenComplete { attempt.connected($0) }
      return try await attempt.made.futureResult.get()
    } onCancel: {
      attempt.cancel()
    }
  }

  private func add(_ channel: any Channel, _ made: EventLoopFuture<Made>) throws {
    try state.withLock { state in
      guard !state.isCancelled else { throw CancellationError() }
      state.channels.append((channel, made))
    }
  }

  private func connected(_ result: Result<any Channel, any Error>) {
    switch result {
    case .success(let channel):
      let made = state.withLock { state in state.channels.first { $0.channel === channel }?.made }
      made?.cascade(to: self.made)
    case .failure(let error): made.fail(Unreachable(cause: error))
    }
  }

  /// What completes the promise first counts.
  private func cancel() {
    let channels = state.withLock { state in
      state.isCancelled = true
      return state.channels
    }
    made.fail(CancellationError())
    for (channel, _) in channels { channel.close(promise: nil) }
  }
}

/// No connection was made, for this reason of NIO's.
struct Unreachable: Error {
  let cause: any Error
}
