/// An event that cannot happen in the state that a state machine is in: a bug of this program's, and never
/// the doing of a peer or of the network. The state machine refuses it, and has not changed.
///
/// Each state machine says in its documentation which unexpected events are *legal races*: two events that
/// cross each other on their way. Those change nothing, and are no error.
package struct IllegalEvent: Error, Hashable, Sendable, CustomStringConvertible {
  /// What happened, and to which task, slot, call or connection.
  package let event: String
  /// The state that the state machine was in.
  package let state: String
  /// What happened to that task, slot, call or connection before, the latest last; or to all of them, if
  /// nothing did.
  package let story: [String]

  package init(event: String, state: String, story: [String]) {
    self.event = event
    self.state = state
    self.story = story
  }

  package var description: String {
    "a bug in SkyNet, please report it: \(event), while \(state) "
      + "(\(story.isEmpty ? "nothing happened before" : story.joined(separator: "; ")))"
  }
}
