/// Runs engagements as children of the cluster's own task group, so that none outlives the cluster.
struct EngagementQueue: Sendable {
  typealias Engagement = @Sendable () async -> Void

  private let engagements: AsyncStream<Engagement>
  private let continuation: AsyncStream<Engagement>.Continuation

  init() {
    (engagements, continuation) = AsyncStream.makeStream(of: Engagement.self)
  }

  /// Has an engagement run. After the cluster has ended it does not run.
  func add(_ engagement: @escaping Engagement) { continuation.yield(engagement) }

  /// Runs what is added, until cancelled.
  func run() async {
    await withDiscardingTaskGroup { group in
      for await engagement in engagements { group.addTask { await engagement() } }
    }
  }
}
