import SkyNetCore

/// One connection of a coordinator to a node's process. What is under way when it breaks is lost.
struct Link {
  let coordinator: Int
  let node: Int
  let incarnation: Incarnation
  var isUp = true
  /// When the last message each way arrives: none overtakes another.
  var lastAtNode = Instant()
  var lastAtCoordinator = Instant()
}

enum ToNode {
  case call(Attempt)
  case cancel(Attempt.ID)
}

enum ToCoordinator {
  case started(Attempt.ID)
  case answer(Attempt.ID, AttemptOutcome, AttemptTiming?)
  case draining
}

/// Everything that happens in the simulated world.
enum Event {
  // The network.
  case dial(coordinator: Int, node: Int)
  case atNode(link: Int, ToNode)
  case atCoordinator(link: Int, ToCoordinator)
  case nodeLost(link: Int)
  case coordinatorLost(link: Int)
  // A node.
  case scanEnds(node: Int, Incarnation, ticket: UInt64, AttemptOutcome)
  /// Of a node, or of one incarnation of it.
  case crash(node: Int, Incarnation?)
  case drain(node: Int)
  case restart(node: Int)
  case cut(node: Int)
  // What the parts of a coordinator tell each other.
  case granted(coordinator: Int, Roster.Grant)
  case systemsChanged(coordinator: Int)
  case attemptEnded(coordinator: Int, Attempt.ID, AttemptOutcome)
  case wake(coordinator: Int)
  case interrupt(coordinator: Int)
}
