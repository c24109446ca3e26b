import SkyNetCore
import Synchronization

/// Calls to the peer.
extension PeerLink {
  /// The window of the calls to the peer; `nil` before the peer has introduced itself.
  var window: CallWindow? { state.withLock { $0.peer?.window } }

  /// Waits for room for a call. Returns `nil` if the peer has not introduced itself.
  ///
  /// - Throws: `CancellationError`.
  func reserve() async throws -> LinkReservation? {
    guard let window else { return nil }
    return LinkReservation(link: self, reservation: try await window.reserve())
  }

  /// Calls a distributed method of the peer, when there is room for the call.
  ///
  /// - Parameters:
  ///   - reserved: the call's reservation, if the caller has one already. The caller releases it.
  ///   - onStart: see ``OutgoingCalls/call(_:at:onStart:send:)``.
  /// - Throws: the errors of ``OutgoingCalls/call(_:at:onStart:send:)``.
  func call(
    _ request: CallRequest, in reserved: CallWindow.Reservation? = nil,
    onStart: (@Sendable (_ ran: Duration) -> Void)?
  ) async throws -> Message {
    let awaited = try await reserved == nil ? window?.reserve() : nil
    defer { awaited?.release() }
    let reservation = reserved ?? awaited
    try await reservation?.resize(to: request.byteCount, isUnsent: request.hasBulk)
    return try await outgoing.call(request, at: clock.now, onStart: onStart) {
      [connection] message in
      guard let reservation, message.kind == .call, !message.bulk.isEmpty else {
        return connection.send(message)
      }
      connection.send(message) { reservation.sent() }
    }
  }
}
