import Foundation
import SkyNetCluster
import Synchronization

/// An entry, and when it was recorded by the wall clock, in seconds since 1970.
struct RecordedEntry: Sendable {
  let entry: JournalEntry
  let at: Double

  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// Entries on their way to the file.
final class EntryBuffer: Sendable {
  /// Beyond this many entries the one who records should wait.
  static let limit = 4096

  private struct State {
    var entries: [RecordedEntry] = []
    /// Room for the next ones: what was handed out before and came back.
    var spare: [RecordedEntry] = []
    var failure: (any Error)?
  }

  private let state = Mutex(State())
  /// Something was recorded where nothing was.
  let news: AsyncStream<Void>
  private let announce: AsyncStream<Void>.Continuation

  init() {
    (news, announce) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  var isBehind: Bool { state.withLock { $0.entries.count > Self.limit } }
  /// Why nothing is written any more.
  var failure: (any Error)? { state.withLock { $0.failure } }

  func add(_ entry: JournalEntry) {
    let isFirst = state.withLock { state in
      guard state.failure == nil else { return false }
      state.entries.append(RecordedEntry(entry: entry, at: RecordedEntry.now))
      return state.entries.count == 1
    }
    if isFirst { announce.yield() }
  }

  /// Hands out what there is, in order.
  ///
  /// - Throws: what ``fail(_:)`` was told.
  func take() throws -> [RecordedEntry] {
    try state.withLock { state in
      if let failure = state.failure { throw failure }
      let entries = state.entries
      state.entries = state.spare
      state.spare = []
      return entries
    }
  }

  /// Takes back what was handed out, for its room.
  func giveBack(_ entries: consuming [RecordedEntry]) {
    entries.removeAll(keepingCapacity: true)
    state.withLock { $0.spare = entries }
  }

  /// Has whoever waits for entries look again.
  func remind() { announce.yield() }

  /// From now on nothing is kept. The first reason stays.
  func fail(_ error: any Error) {
    state.withLock { state in
      state.failure = state.failure ?? error
      state.entries = []
    }
    // Whoever waits for entries is to learn that there will be none.
    announce.yield()
  }
}
