/// Lets one task begin its work anew whenever the keys have changed.
actor KeyChanges: EngineActor {
  nonisolated let executor: any EngineExecutor
  private var change = OneShot<Void>()

  init(on executor: any EngineExecutor) { self.executor = executor }

  /// The keys have changed.
  func announce() {
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
