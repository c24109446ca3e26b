/// What is to be done after an event, in order.
public enum EngagementAction: Hashable, Sendable {
  /// Ask for 1 to `upTo` slots for tasks not tried yet; answer by `slotsGranted`.
  case requestSlots(upTo: Int)
  /// Ask for a slot for this task, elsewhere than on these systems if there is an elsewhere;
  /// answer by `slotGranted`.
  case requestSlot(for: TaskID, avoiding: [Incarnation])
  /// Give a slot back unused.
  case release(Slot)
  /// Send the attempt's task to its system; answer by `attemptEnded`.
  case begin(Attempt)
  /// Stop an attempt that is no longer waited for.
  case cancel(Attempt)
  /// Take the attempt's output, which is the task's; answer by `received`.
  case accept(Attempt, attempts: Int, seconds: Double)
  /// Tell that an attempt failed, and that its task will be tried again.
  case rerun(TaskID, FailedAttempt)
  /// Tell that a task is given up.
  case giveUp(TaskID, TaskStory)
  /// Answer by `woke` at this instant.
  case wake(at: Instant)
  /// End with nothing begun: no system came in time.
  case noSystem
  /// Everything is done, or was given up, or nothing more is wanted.
  case finish
}
