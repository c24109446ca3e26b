/// A step that the coordinator takes after an event. The actions of one event are performed in
/// order.
package enum EngagementAction: Hashable, Sendable {
  /// Request 1 to `upTo` slots for fresh tasks. `slotsGranted` is the answer.
  case requestSlots(upTo: Int)
  /// Ask the job for its next part. `grew` or `growthEnded` is the answer.
  case requestPart
  /// Request a slot for this task, on none of these systems if there is any other. `slotGranted` is
  /// the answer. This request replaces an earlier one for the same task.
  case requestSlot(
    for: TaskID, avoiding: [Incarnation], caution: SlotRequest.Caution = .none)
  /// Request a slot that is idle, on any system but these. `idleSlotGranted` is the answer. This
  /// request replaces an earlier one.
  case requestIdleSlot(excluding: [Incarnation])
  case withdrawIdleSlot
  case release(Slot)
  /// Send the attempt's task to its system. `attemptEnded` is the answer.
  case begin(Attempt)
  /// Tell when the attempt's scan starts, or at once if it has started. `attemptStarted` is the
  /// answer.
  case reportStart(Attempt)
  /// Stop an attempt. The engagement no longer waits for it.
  case cancel(Attempt)
  /// Report that an attempt ended without its output being taken.
  case ended(Attempt, AttemptOutcome)
  /// Report that this task did not kill this system: the system is alive after all, or its place
  /// killed it.
  case forgive(TaskID, Incarnation)
  /// Take the output of this attempt as the task's. `received` is the answer.
  case accept(Attempt, attempts: Int, seconds: Double)
  /// Report that an attempt failed and that its task will be retried.
  case rerun(TaskID, FailedAttempt)
  case giveUp(TaskID, TaskStory)
  /// Report that a task is left undone because no system is there for it. A later run may have one.
  case abandon(TaskID, TaskStory)
  /// Call `woke` at this instant.
  case wake(at: Instant)
  /// Report that no scan has ended for this long although so many attempts are in flight, and name
  /// those that have run for longest: none if all that is left waits for a system that is there.
  case stalled([StalledAttempt], of: Int, silence: Duration)
  /// Report that no system is left, and how long the engagement waits for one; `nil` for as long as
  /// one is connected that was asked to drain.
  case waitForSystem(until: Instant?)
  /// End without having begun: no system came in time.
  case noSystem
  /// End: every task was done or given up, or nothing more is wanted.
  case finish
  /// End with this error: an event that cannot happen. No other action stands beside it.
  case refuse(IllegalEvent)
}

extension EngagementAction {
  /// Whether one of the actions behind this request for a slot replaces or withdraws it.
  ///
  /// Whoever performs an action may know at once what came of it, such as that a slot is free. The engagement is told,
  /// and answers with further actions before the earlier ones are all performed. A slot for a request that was replaced
  /// meanwhile would be one that nobody asked for: the request is to be passed over.
  package func isReplaced(by later: ArraySlice<EngagementAction>) -> Bool {
    later.contains { other in
      switch (self, other) {
      case (.requestIdleSlot, .requestIdleSlot), (.requestIdleSlot, .withdrawIdleSlot): true
      case (.requestSlot(let task, _, _), .requestSlot(let same, _, _)): task == same
      default: false
      }
    }
  }
}
