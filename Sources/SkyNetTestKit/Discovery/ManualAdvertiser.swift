public import SkyNetCluster

/// An advertiser for one node, whose events a test decides.
public final class ManualAdvertiser: Advertiser {
  private struct State {
    var advertisement: Advertisement?
    var listener: AsyncStream<AdvertisementEvent>.Continuation?
    var withdrawals = 0
  }

  private let state = Watched(State())

  /// Makes an advertiser that has registered nothing.
  public init() {}

  /// Waits until a node advertises itself, and returns the advertisement.
  ///
  /// - Throws: `CancellationError`.
  public func advertisement() async throws -> Advertisement {
    try await state.take { $0.advertisement }
  }

  /// Waits until a node has withdrawn its advertisement.
  ///
  /// - Throws: `CancellationError`.
  public func withdrawal() async throws {
    try await state.wait { $0.withdrawals > 0 }
  }

  /// Tells the node that it is registered under this name.
  public func registered(as name: String) {
    state.value.listener?.yield(.registered(name: name))
  }

  /// Tells the node that it cannot be registered at present.
  public func unavailable(reason: String) {
    state.value.listener?.yield(.unavailable(reason: reason))
  }

  /// Records the advertisement. The stream yields the events that the test decides on.
  public func advertise(_ advertisement: Advertisement) -> AsyncStream<AdvertisementEvent> {
    let (stream, listener) = AsyncStream.makeStream(of: AdvertisementEvent.self)
    listener.onTermination = { [state] _ in
      state.update { state in
        state.advertisement = nil
        state.listener = nil
        state.withdrawals += 1
      }
    }
    state.update { state in
      state.advertisement = advertisement
      state.listener = listener
    }
    return stream
  }
}
