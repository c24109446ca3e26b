/// How failed tasks are handed out again.
extension Engagement {
  /// Requests a slot for a task that failed. It gets one before new tasks do, and on another system if
  /// there is one. A suspect waits.
  mutating func retry(_ task: TaskID, _ story: TaskStory) -> [EngagementAction] {
    if mayBePoison(story) {
      poisonSuspects.append(task)
      return []
    }
    return [requestSlot(for: task, story, story.deaths > 0 ? .sparesLocal : .none)]
  }

  mutating func requestSlot(
    for task: TaskID, _ story: TaskStory, _ caution: SlotRequest.Caution
  ) -> EngagementAction {
    var avoided = story.systems
    if let ownSystem, story.deaths > 0 {
      // If the task kills this process's own system, the engagement dies with it.
      avoided = avoided.filter { $0 != ownSystem } + [ownSystem]
    }
    let request = RetryRequest(avoiding: avoided, caution: caution)
    retries[task] = request
    tasksAwaitingSlots.insert(task)
    log.add(task, .asked)
    return .requestSlot(for: task, avoiding: request.avoiding, caution: caution)
  }
}
