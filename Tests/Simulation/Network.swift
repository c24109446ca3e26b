import SkyNetCore

/// One connection from a coordinator's process to a node's process.
struct Link {
  let coordinator: Int
  let node: Int
  let incarnation: Incarnation
  /// Whether bytes still get through. After a break, each end learns of it some time later.
  var isUp: Bool { broken == nil }
  /// When the connection broke; `nil` while it is up.
  var broken: Instant?
  /// Whether the node has learnt of the break.
  var isKnownToNode = false
  /// Whether the node has said over it that it takes no new calls.
  var isToldOfDrain = false
  /// When the last message in each direction arrives. No message overtakes another unless the plan
  /// reorders them.
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
  /// The node takes calls again, over a new connection.
  case goodbye
}

/// Every kind of event in the simulated world.
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
  /// A poison sector's scan kills its node, if it still runs.
  case scanKills(node: Int, Incarnation, ticket: UInt64)
  /// A node crashes. With an incarnation, only that incarnation does.
  case crash(node: Int, Incarnation?)
  case drain(node: Int)
  /// A node is asked to take nothing new, and later to take calls again.
  case cordon(node: Int)
  case uncordon(node: Int, Incarnation)
  case restart(node: Int)
  case cut(node: Int)
  /// The connections of a node are cut again and again, at this interval.
  case cutAgain(node: Int, Duration)
  // A coordinator's process.
  case killCoordinator
  case resume
  // Messages between the parts of a coordinator.
  case granted(coordinator: Int, Roster.Grant)
  case systemJoined(coordinator: Int, Incarnation, Place)
  case systemsChanged(coordinator: Int)
  case attemptStarted(coordinator: Int, Attempt.ID, Instant)
  case attemptEnded(coordinator: Int, Attempt.ID, AttemptOutcome)
  case wake(coordinator: Int)
  case rosterWake(coordinator: Int)
  case interrupt(coordinator: Int)
  /// The job has made the next part, or has none left.
  case grew(coordinator: Int)
}
