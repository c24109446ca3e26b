/// Runs engagements as children of the cluster's own task group, so that none outlives the cluster.
struct EngagementQueue: Sendable {
  typealias Engagement = @Sendable () async -> Void

  private let engagements: AsyncStream<Engagement>
  private let continuation: AsyncStream<Engagement>.Continuation

  init() {
    (engagements, continuation) = AsyncStream.makeStream(of: Engagement.self)
  }

  /// Has an engagement run.
  ///
  /// - Returns: whether it will: not after the cluster has ended.
  func add(_ engagement: @escaping Engagement) -> Bool {
    if case .terminated = continuation.yield(engagement) { return false }
    return true
  }

  /// Runs what is added, until cancelled.
  func serve() async {
    await withDiscardingTaskGroup { group in
      for await engagement in engagements { group.addTask { await engagement() } }
    }
  }
}
