import Foundation
import Synchronization

/// A TCP proxy between an engagement and a node that delays what passes, holds it up, or breaks
/// the connection in the middle of a frame: faults that a kernel without netem cannot make.
final class FaultyWire: Sendable {
  /// How the wire is.
  enum Condition: Sendable, Hashable {
    case sound
    /// Each piece arrives so much later.
    case slow(Duration)
    /// Nothing arrives, in either direction; the connections stay open.
    case stalled
    /// Nothing arrives from the node; it hears everything.
    case mute
    /// Every connection is reset when it is this old.
    case shortLived(Duration)
  }

  /// A direction.
  enum Way: Sendable, Hashable, CaseIterable {
    case toNode, toClient
  }

  struct State: Sendable {
    var target: (host: String, port: Int)
    var condition = Condition.sound
    /// How often all connections were to be broken.
    var breaks = 0
    /// The ways in which a byte of every connection was to be changed.
    var changes: [Way] = []
    var isOver = false
  }

  /// Where it listens, on the loopback interface.
  let port: Int
  private let state: Mutex<State>

  private init(port: Int, target: (host: String, port: Int)) {
    self.port = port
    state = Mutex(State(target: target))
  }

  /// A wire to this address.
  ///
  /// - Parameter network: the file of a network namespace, if not this process's own.
  static func open(to host: String, port: Int, in network: String? = nil) async throws -> FaultyWire
  {
    try await withCheckedThrowingContinuation { continuation in
      // The thread is the wire's own: only it enters the namespace, and its sockets belong there.
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

  /// Breaks every connection as soon as something passes, in its midst.
  func breakConnections() { state.withLock { $0.breaks += 1 } }

  /// Changes a byte in the midst of what next passes this way, in every connection that is there.
  func changeByte(_ way: Way) { state.withLock { $0.changes.append(way) } }

  /// Connections made from now on lead to another port.
  func lead(to port: Int) { state.withLock { $0.target.port = port } }

  /// Ends it and its connections.
  func stop() { state.withLock { $0.isOver = true } }
}

/// Moves the calling thread into a network namespace.
private func enter(_ network: String) throws {
  #if canImport(Glibc)
    // Glibc has it, and its Swift module leaves it out.
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
