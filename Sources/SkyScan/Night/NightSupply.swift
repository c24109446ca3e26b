package import SkyNetCore
import Synchronization

/// Opens the images of a night, one after the other, a little ahead of their scans.
///
/// The number of images that are open at a time is bounded, however many the night has. An image counts as open until
/// ``closed(_:)`` says that all of its outputs are written.
package final class NightSupply: Sendable {
  /// An image that was opened for its scan, or the reason why it cannot be scanned.
  package typealias Opened = Result<ImageJob, UnreadableImage>

  /// An image to scan, as far as it is known before it is opened.
  package enum Next: Sendable {
    /// An image that no earlier process has finished. If an earlier process began it, the part is its part.
    case image(name: String, facts: String, known: JobPart?, Opened)
    /// An image that an earlier process has finished.
    case finished(JobPart)
  }

  fileprivate struct State {
    /// The images that were opened and that the night has not taken yet, by their part.
    var opened: [Int: Opened] = [:]
    /// The parts whose outputs are not written yet.
    var open: Set<Int> = []
    var nextNumber = 0
    var nextSector = 0
    var isExhausted = false
    /// The images that ``hasWork()`` has opened, in their order.
    var ahead: ArraySlice<Next> = []
  }

  private let limit: Int
  private let source: @Sendable () async throws -> Next?
  private let state = Mutex(State())
  private let (news, closings) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))

  /// - Parameters:
  ///   - limit: how many images may be open at a time.
  ///   - next: waits for the next image and opens it; `nil` if none is left.
  package init(limit: Int, next: @escaping @Sendable () async throws -> Next?) {
    self.limit = limit
    source = next
  }

  /// New parts come after these, which earlier processes recorded.
  package func begin(after past: [JobPart]) {
    state.withLock { state in
      state.nextNumber = past.map { $0.number + 1 }.max() ?? 0
      state.nextSector = past.map(\.sectors.upperBound).max() ?? 0
    }
  }

  /// Whether anything is left to scan: opens images up to the first one that no earlier process has finished and that
  /// can be read. Call it after ``begin(after:)``, before the night begins.
  ///
  /// - Throws: `CancellationError`; the errors of the images' source.
  package func hasWork() async throws -> Bool {
    while let next = try await source() {
      try Task.checkCancellation()
      state.withLock { $0.ahead.append(next) }
      if case .image(_, _, _, .success) = next { return true }
    }
    return false
  }

  private func nextImage() async throws -> Next? {
    if let next = state.withLock({ $0.ahead.popFirst() }) { return next }
    return try await source()
  }

  /// The next image as a part. `nil` once all images are finished and closed.
  ///
  /// - Throws: `CancellationError`; the errors of the images' source.
  func nextPart() async throws -> JobPart? {
    try await waitUntil { $0.open.count < limit }
    guard !state.withLock({ $0.isExhausted }), let next = try await nextImage() else {
      state.withLock { $0.isExhausted = true }
      // The engagement ends with the last output that is written, and not before: its journal records that.
      try await waitUntil { $0.open.isEmpty }
      return nil
    }
    switch next {
    case .finished(let part):
      state.withLock { _ = $0.open.insert(part.number) }
      return part
    case .image(let name, let facts, let known, let opened):
      return state.withLock { state in
        let part = known ?? state.makePart(name, facts, opened)
        state.opened[part.number] = opened
        state.open.insert(part.number)
        return part
      }
    }
  }

  /// Takes an image that ``nextPart()`` has opened.
  func take(_ part: JobPart) -> Opened? {
    state.withLock { $0.opened.removeValue(forKey: part.number) }
  }

  /// All outputs of an image are written.
  package func closed(_ part: JobPart) {
    state.withLock { _ = $0.open.remove(part.number) }
    closings.yield()
  }

  private func waitUntil(_ condition: (borrowing State) -> Bool) async throws {
    while !state.withLock({ condition($0) }) {
      var iterator = news.makeAsyncIterator()
      guard await iterator.next() != nil else { throw CancellationError() }
    }
  }
}

extension NightSupply.State {
  fileprivate mutating func makePart(
    _ name: String, _ facts: String, _ opened: NightSupply.Opened
  ) -> JobPart {
    // An image that cannot be opened has one sector, which fails.
    let count = (try? opened.get().sectorCount) ?? 1
    defer {
      nextNumber += 1
      nextSector += count
    }
    return JobPart(
      number: nextNumber, sectors: nextSector..<nextSector + count, name: name, facts: facts)
  }
}

/// Why an image cannot be scanned.
package struct UnreadableImage: Error, CustomStringConvertible {
  package let reason: String
  package var description: String { reason }

  package init(_ reason: String) { self.reason = reason }
}
