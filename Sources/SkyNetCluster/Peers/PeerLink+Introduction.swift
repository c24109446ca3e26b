import SkyNetCore
import Synchronization

extension PeerLink {
  /// A peer as it introduced itself, held by reference: it is looked at with each message.
  final class Introduction: Sendable {
    let hello: Hello
    /// How much may be under way to it.
    let window: CallWindow

    init(_ hello: Hello) {
      self.hello = hello
      window = CallWindow(limit: hello.heldLimit)
    }
  }

  /// The least time that a peer has to introduce itself, however short this side's timeout is.
  private static let shortestHelloTimeout = Duration.seconds(5)

  /// Awaits the peer's hello.
  ///
  /// - Throws: `WireError` if the peer says none in time; `CancellationError`.
  func meet() async throws -> Hello {
    let patience = max(Self.shortestHelloTimeout, .seconds(system.hello.timeoutSeconds))
    return try await withThrowingTaskGroup(of: Hello.self) { group in
      group.addTask { try await self.met.value() }
      group.addTask {
        try await self.clock.sleep(until: self.clock.now + patience)
        let error = WireError.noHello(within: patience)
        self.part(for: .offended(error))
        throw error
      }
      defer { group.cancelAll() }
      for try await hello in group { return hello }
      throw CancellationError()
    }
  }

  /// The peer's hello has arrived.
  func introduced(_ hello: Hello) {
    let peer = Introduction(hello)
    state.withLock { $0.peer = peer }
    let isThisProcess = hello.incarnation == system.incarnation
    carryOut(
      tell { life throws(IllegalEvent) in try life.introduced(isThisProcess: isThisProcess) })
    met.complete(.success(hello))
  }
}
