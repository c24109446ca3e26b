import Foundation
import SkyNetCluster
import Synchronization

/// An entry, and the wall-clock time at which it was recorded, in seconds since 1970.
struct RecordedEntry: Sendable {
  let entry: JournalEntry
  let at: Double

  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// Recorded entries that are not written yet.
final class EntryBuffer: Sendable {
  /// Beyond this many entries the caller should wait before it records more.
  static let limit = 4096

  private struct State {
    var entries: [RecordedEntry] = []
    /// An empty array with capacity, reused for the next entries.
    var spare: [RecordedEntry] = []
    var failure: (any Error)?
  }

  private let state = Mutex(State())
  /// Yields when the buffer was empty and got an entry.
  let news: AsyncStream<Void>
  private let announce: AsyncStream<Void>.Continuation

  init() {
    (news, announce) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  var isBehind: Bool { state.withLock { $0.entries.count > Self.limit } }
  /// The error after which nothing is written any more.
  var failure: (any Error)? { state.withLock { $0.failure } }

  func add(_ entry: JournalEntry) {
    let isFirst = state.withLock { state in
      guard state.failure == nil else { return false }
      state.entries.append(RecordedEntry(entry: entry, at: RecordedEntry.now))
      return state.entries.count == 1
    }
    if isFirst { announce.yield() }
  }

  /// Removes all entries and returns them, in order.
  ///
  /// - Throws: the error that ``fail(_:)`` got.
  func take() throws -> [RecordedEntry] {
    try state.withLock { state in
      if let failure = state.failure { throw failure }
      let entries = state.entries
      state.entries = state.spare
      state.spare = []
      return entries
    }
  }

  /// Takes back an array from ``take()``, to reuse its memory.
  func recycle(_ entries: consuming [RecordedEntry]) {
    entries.removeAll(keepingCapacity: true)
    state.withLock { $0.spare = entries }
  }

  /// Wakes the task that waits for entries.
  func wake() { announce.yield() }

  /// Drops all entries from now on. The first error stays.
  func fail(_ error: any Error) {
    state.withLock { state in
      state.failure = state.failure ?? error
      state.entries = []
    }
    // The task that waits for entries wakes and gets the error.
    announce.yield()
  }
}
