import Foundation
import Synchronization

/// A TCP proxy between an engagement and a node. It delays data, holds it back, or breaks the
/// connection in the middle of a frame: faults that a kernel without netem cannot make.
final class FaultyWire: Sendable {
  /// The wire's state.
  enum Condition: Sendable, Hashable {
    case sound
    /// Each piece arrives this much later.
    case slow(Duration)
    /// No data arrives in either direction; the connections stay open.
    case stalled
    /// No data arrives from the node; the node receives everything.
    case mute
    /// Every connection is reset at this age.
    case shortLived(Duration)
  }

  /// A direction of a connection.
  enum Way: Sendable, Hashable, CaseIterable {
    case toNode, toClient
  }

  struct State: Sendable {
    var target: (host: String, port: Int)
    var condition = Condition.sound
    /// How often ``FaultyWire/breakConnections()`` was called.
    var breaks = 0
    /// The directions given to ``FaultyWire/changeByte(_:)``.
    var changes: [Way] = []
    var isOver = false
  }

  /// The port on the loopback interface where the proxy listens.
  let port: Int
  private let state: Mutex<State>

  private init(port: Int, target: (host: String, port: Int)) {
    self.port = port
    state = Mutex(State(target: target))
  }

  /// Opens a wire to this address.
  ///
  /// - Parameter network: the file of a network namespace; by default this process's own is used.
  static func open(to host: String, port: Int, in network: String? = nil) async throws -> FaultyWire
  {
    try await withCheckedThrowingContinuation { continuation in
      // Only this thread enters the namespace, so its sockets belong to it.
      Thread.detachNewThread {
        do {
          if let network { try enter(network) }
          let listener = try makeListener()
          let wire = FaultyWire(port: listener.port, target: (host, port))
          continuation.resume(returning: wire)
          WireLoop(listener: listener.descriptor).run { wire.state.withLock { $0 } }
        } catch {
          continuation.resume(throwing: error)
        }
      }
    }
  }

  func become(_ condition: Condition) { state.withLock { $0.condition = condition } }

  /// Breaks every connection in the middle of the next piece of data.
  func breakConnections() { state.withLock { $0.breaks += 1 } }

  /// Changes a byte in the middle of the next piece in this direction, on every open connection.
  func changeByte(_ way: Way) { state.withLock { $0.changes.append(way) } }

  /// Connects later connections to another port.
  func lead(to port: Int) { state.withLock { $0.target.port = port } }

  /// Ends the proxy and its connections.
  func stop() { state.withLock { $0.isOver = true } }
}

/// Moves the calling thread into a network namespace.
private func enter(_ network: String) throws {
  #if canImport(Glibc)
    // Glibc has the function, but its Swift module leaves it out.
    typealias SetNamespace = @convention(c) (Int32, Int32) -> Int32
    let cloneNewNetwork: Int32 = 0x4000_0000
    guard let symbol = dlsym(nil, "setns") else { throw Unexpected("there is no setns") }
    let descriptor = open(network, O_RDONLY)
    guard descriptor >= 0 else { throw systemError("open \(network)") }
    defer { close(descriptor) }
    guard unsafeBitCast(symbol, to: SetNamespace.self)(descriptor, cloneNewNetwork) == 0 else {
      throw systemError("setns")
    }
  #else
    throw Unexpected("only Linux has network namespaces")
  #endif
}
