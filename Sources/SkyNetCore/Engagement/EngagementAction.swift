/// What is to be done after an event, in order.
package enum EngagementAction: Hashable, Sendable {
  /// Ask for 1 to `upTo` slots for tasks not tried yet; answer by `slotsGranted`.
  case requestSlots(upTo: Int)
  /// Ask for a slot for this task, elsewhere than on these systems if there is an elsewhere;
  /// answer by `slotGranted`. It takes the place of an earlier such request for the task.
  case requestSlot(
    for: TaskID, avoiding: [Incarnation], caution: SlotRequest.Caution = .none)
  /// Ask for a slot that is idle, on any system but these; answer by `idleSlotGranted`. It takes
  /// the place of an earlier such wish.
  case requestIdleSlot(excluding: [Incarnation])
  /// The wish for an idle slot is no more.
  case withdrawIdleSlot
  /// Give a slot back unused.
  case release(Slot)
  /// Send the attempt's task to its system; answer by `attemptEnded`.
  case begin(Attempt)
  /// Answer by `attemptStarted` when this attempt's scan starts, or at once if it has.
  case reportStart(Attempt)
  /// Stop an attempt that is no longer waited for.
  case cancel(Attempt)
  /// Tell that an attempt ended, and how, if its output was not taken.
  case ended(Attempt, AttemptOutcome)
  /// Tell that this system was lost with this task, and not by it: it is alive all the same, or its
  /// place killed it.
  case forgive(TaskID, Incarnation)
  /// Take the attempt's output, which is the task's; answer by `received`.
  case accept(Attempt, attempts: Int, seconds: Double)
  /// Tell that an attempt failed, and that its task will be tried again.
  case rerun(TaskID, FailedAttempt)
  /// Tell that a task is given up.
  case giveUp(TaskID, TaskStory)
  /// Tell that a task is left undone as there is no system for it; another time there may be.
  case abandon(TaskID, TaskStory)
  /// Answer by `woke` at this instant.
  case wake(at: Instant)
  /// Tell that no scan has ended for this long, though so many attempts are under way, and which
  /// ones have run for longest; of none if all that is left waits for a system that is there.
  case stalled([StalledAttempt], of: Int, silence: Duration)
  /// Tell that no system is left, and until when one is waited for.
  case waitForSystem(until: Instant)
  /// End with nothing begun: no system came in time.
  case noSystem
  /// Everything is done, or was given up, or nothing more is wanted.
  case finish
  /// End with this error: the event cannot happen. It stands alone.
  case refuse(IllegalEvent)
}
