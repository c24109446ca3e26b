/// An event that cannot happen in the present state of a state machine: a bug of this program, never
/// caused by a peer or the network. The state machine refuses it, and stays as it was. *Legal races*,
/// two events that cross each other on their way, are no error, and change nothing.
public struct IllegalEvent: Error, Hashable, Sendable, CustomStringConvertible {
  /// The event, with the task, slot, call or connection that it concerned.
  package let event: String
  package let state: String
  /// The earlier transitions of that task, slot, call or connection, the latest last. If it has
  /// none, those of all of them.
  package let story: [String]

  package init(event: String, state: String, story: [String]) {
    self.event = event
    self.state = state
    self.story = story
  }

  public var description: String {
    "a bug in SkyNet, please report it: \(event), while \(state) "
      + "(\(story.isEmpty ? "nothing happened before" : story.joined(separator: "; ")))"
  }
}
