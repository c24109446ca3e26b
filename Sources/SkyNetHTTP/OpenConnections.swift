import NIOCore
import Synchronization

/// The connections of a server. Bounds their number.
///
/// A connection beyond the limit takes the place of another one: of the one that has waited longest for a request
/// of its client, or, if none waits, of the one whose reply has been under way for longest. A stream, which a client
/// watches, keeps its place. So clients that hold connections and ask nothing keep no other client out.
final class OpenConnections: Sendable {
  enum Phase {
    /// No whole request has come since the connection was made, or since the last reply.
    case waits
    case isAnswered
    /// The reply is a stream.
    case streams
  }

  private struct Connection {
    let channel: any Channel
    var phase = Phase.waits
    /// Ascends with each change of a connection's phase, so the lowest is the earliest one's.
    var since: UInt64
  }

  private struct State {
    var connections: [ObjectIdentifier: Connection] = [:]
    var changes: UInt64 = 0

    /// The connection that makes room; `nil` if all are streams.
    var loser: Connection? {
      let waiting = connections.values.filter { $0.phase == .waits }
      let able = waiting.isEmpty ? connections.values.filter { $0.phase == .isAnswered } : waiting
      return able.min { $0.since < $1.since }
    }
  }

  private let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = limit }

  /// Counts a new connection, and closes one if there are too many: the new one itself if all others are streams.
  func add(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    let loser = state.withLock { state -> (any Channel)? in
      var loser: (any Channel)?
      if state.connections.count >= limit {
        guard let connection = state.loser else { return channel }
        loser = connection.channel
        state.connections[ObjectIdentifier(connection.channel)] = nil
      }
      state.changes += 1
      state.connections[id] = Connection(channel: channel, since: state.changes)
      return loser
    }
    channel.closeFuture.whenComplete { _ in self.state.withLock { $0.connections[id] = nil } }
    loser?.close(promise: nil)
  }

  func set(_ phase: Phase, _ channel: any Channel) {
    state.withLock { state in
      state.changes += 1
      state.connections[ObjectIdentifier(channel)]?.phase = phase
      state.connections[ObjectIdentifier(channel)]?.since = state.changes
    }
  }
}
