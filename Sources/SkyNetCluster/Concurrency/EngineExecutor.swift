/// The executor on which a process takes all decisions of its cluster: one job after another, on one thread at a time.
///
/// Every actor of a process's cluster is isolated to it, so a call from one of them to another needs no switch of
/// threads, and what an actor owns needs no lock. The messages of connections arrive on it. Code that takes its time
/// runs elsewhere: scans on threads of their own, and a job's code that is not light on Swift's pool.
///
/// A network brings the executor (``PeerTransport/executor``): over TCP it is the event loop of all connections.
package protocol EngineExecutor: SerialExecutor, TaskExecutor {
  /// Whether the caller runs on this executor.
  var isCurrent: Bool { get }

  /// Where code runs that takes its time, other than scans.
  var pool: any TaskExecutor { get }

  /// Runs this on the executor, after the jobs that it has already.
  func execute(_ body: @escaping @Sendable () -> Void)
}

extension EngineExecutor {
  /// Swift's own.
  package var pool: any TaskExecutor { globalConcurrentExecutor }

  package func checkIsolated() {
    precondition(isCurrent, "only the engine's executor may enter its actors")
  }

  package func isIsolatingCurrentContext() -> Bool? { isCurrent }

  /// Runs this now if the caller runs on the executor, and else as soon as the executor comes to it.
  func run(_ body: @escaping @Sendable () -> Void) {
    if isCurrent { body() } else { execute(body) }
  }
}

/// An actor that is isolated to its process's engine.
protocol EngineActor: Actor {
  nonisolated var executor: any EngineExecutor { get }
}

extension EngineActor {
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Enters the actor from code that runs on the engine.
  nonisolated func here<Result: Sendable>(
    _ body: (isolated Self) throws -> Result
  ) rethrows -> Result {
    try assumeIsolated(body)
  }

  /// Tells the actor of something, from any thread: at once on the engine, and else as soon as the engine comes to it.
  nonisolated func tell(_ body: @escaping @Sendable (isolated Self) -> Void) {
    executor.run { self.assumeIsolated { body($0) } }
  }
}
