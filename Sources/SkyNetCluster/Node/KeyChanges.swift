import Logging

/// Tells tasks of the changes of a process's keys, and lets them begin their work anew.
actor KeyChanges: EngineActor {
  nonisolated let executor: any EngineExecutor
  private var change = OneShot<Void>()

  init(on executor: any EngineExecutor) { self.executor = executor }

  /// Follows the keys of a transport until the caller's task is cancelled, and logs what it hears of them. Announces
  /// each change, and then calls `changed`.
  ///
  /// - Parameter process: what the log calls this process.
  nonisolated func follow(
    _ transport: any PeerTransport, of process: String, clock: any ClusterClock, logger: Logger,
    changed: @Sendable () async -> Void = {}
  ) async {
    await transport.followKeys(clock: clock) { news in
      logger.log(level: news.level, "\(process) \(news.text)")
      guard case .changed = news else { return }
      await announce()
      await changed()
    }
  }

  private func announce() {
    let former = change
    change = OneShot()
    former.complete(.success(()))
  }

  /// Calls `react` after each change, until the caller's task is cancelled.
  func each(_ react: @Sendable () async -> Void) async {
    var next = change
    while (try? await next.value()) != nil {
      // Looked up before the reaction begins, so that no change is missed.
      next = change
      await react()
    }
  }

  /// Performs `work`, and after each change cancels it, waits for its end, and performs it anew. Returns when
  /// `work` has returned by itself, or when the caller's task is cancelled.
  nonisolated func `repeat`(_ work: @escaping @Sendable () async -> Void) async {
    var isChanged = true
    while isChanged, !Task.isCancelled {
      // Looked up before the work begins, so that no change is missed.
      let change = await change
      isChanged = await withTaskGroup(of: Bool.self) { group in
        group.addTask {
          await work()
          return false
        }
        group.addTask { (try? await change.value()) != nil }
        defer { group.cancelAll() }
        return await group.next() ?? false
      }
    }
  }
}
