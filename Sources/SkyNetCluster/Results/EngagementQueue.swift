/// Runs engagements as children of the cluster's own task group, so that no engagement outlives the cluster.
struct EngagementQueue: Sendable {
  typealias Engagement = @Sendable () async -> Void

  private let engagements: AsyncStream<Engagement>
  private let continuation: AsyncStream<Engagement>.Continuation

  init() {
    (engagements, continuation) = AsyncStream.makeStream(of: Engagement.self)
  }

  /// Adds an engagement, to run at once.
  ///
  /// - Returns: whether the engagement runs. It does not if the cluster has ended.
  func add(_ engagement: @escaping Engagement) -> Bool {
    if case .terminated = continuation.yield(engagement) { return false }
    return true
  }

  /// Runs the engagements that are added, until the caller's task is cancelled.
  func serve() async {
    await withDiscardingTaskGroup { group in
      for await engagement in engagements { group.addTask { await engagement() } }
    }
  }
}
