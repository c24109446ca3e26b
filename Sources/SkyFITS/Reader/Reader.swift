import Foundation
import Synchronization

/// One of the processes that read for this one. It answers one request at a time; all calls but
/// ``close(image:)`` and ``end(_:)`` block.
final class Reader: Sendable {
  private let pid: pid_t
  private let link: Mutex<ReaderLink>
  /// The images to be closed in the reader as soon as it has no request to answer.
  private let unused = Mutex<[Int]>([])
  private let hasEnded = Atomic(false)

  /// Why a request has no answer.
  enum Failure: Error {
    /// The reader ended before it got the request, which had no part in that.
    case before
    /// The reader ended during the request.
    case during(ReaderEnding)
  }

  /// - Parameter started: a child for which no other code waits, and the socket to it.
  init(_ started: StartedReader, limits: ReaderLimits = ReaderLimits()) {
    pid = started.pid
    link = Mutex(ReaderLink(pid: started.pid, socket: started.socket, limits: limits))
  }

  deinit { end(.ended) }

  /// Whether it is known that the reader ended.
  var isGone: Bool { hasEnded.load(ordering: .relaxed) }

  /// Sends a request, and waits for the answer.
  ///
  /// - Parameter bytes: the number of bytes that the reader may have to go through.
  func ask(
    _ request: ReaderRequest, descriptors: [CInt] = [], bytes: Int
  ) throws(Failure) -> ReaderAnswer {
    let result = link.withLock { link in
      Result { () throws(Failure) in
        closeUnused(&link)
        link.checkBetweenRequests()
        guard link.ending == nil else {
          hasEnded.store(true, ordering: .relaxed)
          throw .before
        }
        do throws(ReaderEnding) {
          let answer = try link.ask(request, descriptors, bytes)
          closeUnused(&link)
          return answer
        } catch {
          hasEnded.store(true, ordering: .relaxed)
          throw .during(error)
        }
      }
    }
    return try result.get()
  }

  /// Closes an image in the reader: now, or after the request that it is answering.
  func close(image: Int) {
    unused.withLock { $0.append(image) }
    link.withLockIfAvailable { closeUnused(&$0) }
  }

  private func closeUnused(_ link: inout ReaderLink) {
    let images = unused.withLock { images in
      defer { images = [] }
      return images
    }
    for image in images { link.tell(.close(image: image)) }
  }

  /// Ends the reader, if it has not ended.
  func end(_ reason: ReaderEnding) {
    hasEnded.store(true, ordering: .relaxed)
    let ending = link.withLockIfAvailable { $0.end(reason) }
    // The thread that waits for an answer will notice that the reader is gone.
    if ending == nil { kill(pid, SIGKILL) }
  }
}
