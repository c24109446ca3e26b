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

  /// Runs code that takes its time on the pool, in the caller's task.
  @inline(__always)
  func onPool<Success: Sendable, Failure>(
    _ code: @Sendable () async throws(Failure) -> Success
  ) async throws(Failure) -> Success {
    try await withTaskExecutorPreference(pool) { @concurrent () async throws(Failure) in
      try await code()
    }
  }

  package func checkIsolated() {
    precondition(isCurrent, "only the engine's executor may enter its actors")
  }

  package func isIsolatingCurrentContext() -> Bool? { isCurrent }
}

/// Reads a part of what an actor owns. Without, Swift copies all of it to call a method that changes nothing, or to read a
/// member that is computed.
@inline(__always)
func inPlace<Owned, Part>(_ owned: inout Owned, _ read: (inout Owned) -> Part) -> Part {
  read(&owned)
}

/// An actor that is isolated to its process's engine.
protocol EngineActor: Actor {
  nonisolated var executor: any EngineExecutor { get }
}

extension EngineActor {
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Enters the actor from code that runs on the engine, which saves the two looks at executors of an `await`.
  nonisolated func here<Result: Sendable, Failure: Error>(
    _ body: (isolated Self) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    executor.checkIsolated()
    // What `assumeIsolated` does, too, but that allocates twice for each call.
    typealias Body = (isolated Self) throws(Failure) -> Result
    typealias Free = (Self, Body) throws(Failure) -> Result
    let call = { (actor: isolated Self, body: Body) throws(Failure) in try body(actor) }
    return try unsafeBitCast(call, to: Free.self)(self, body)
  }

  /// Tells the actor of something, from any thread: at once on the engine, and else as soon as the engine comes to it.
  nonisolated func tell(_ body: @escaping @Sendable (isolated Self) -> Void) {
    if executor.isCurrent { here(body) } else { executor.execute { self.here(body) } }
  }
}
