import SkyNetCore

/// One connection of a coordinator's process to a node's process.
struct Link {
  let coordinator: Int
  let node: Int
  let incarnation: Incarnation
  /// Whether bytes still go through. If not, each end learns of it some time later.
  var isUp: Bool { broken == nil }
  /// Since when nothing gets through.
  var broken: Instant?
  var isKnownToNode = false
  /// When the last message each way arrives: unless a seed reorders, none overtakes another.
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
  case partition(nodes: [Int])
  case heal
  // A node.
  case scanEnds(node: Int, Incarnation, ticket: UInt64, AttemptOutcome)
  /// Of a node, or of one incarnation of it.
  case crash(node: Int, Incarnation?)
  case drain(node: Int)
  case restart(node: Int)
  case cut(node: Int)
  /// It is cut each time after so long.
  case cutAgain(node: Int, Duration)
  // A coordinator's process.
  case killCoordinator
  case resume
  // What the parts of a coordinator tell each other.
  case granted(coordinator: Int, Roster.Grant)
  case systemJoined(coordinator: Int, Incarnation, Place)
  case systemsChanged(coordinator: Int)
  case attemptStarted(coordinator: Int, Attempt.ID, Instant)
  case attemptEnded(coordinator: Int, Attempt.ID, AttemptOutcome)
  case wake(coordinator: Int)
  case rosterWake(coordinator: Int)
  case interrupt(coordinator: Int)
}
