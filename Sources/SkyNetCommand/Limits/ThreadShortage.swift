import Dispatch
import Foundation

/// How many threads a command has.
enum ThreadNeed {
  /// To begin: the first threads of Swift's pool and of the libraries below it. A command that cannot start them
  /// would wait for ever.
  static let toBegin = 4

  /// The main thread, the one for DNS-SD, and those in which Dispatch writes lines, results and the journal.
  private static let base = 8
  /// Two of Swift's pool, an event loop, and one for calls that block.
  private static let eachCore = 4

  /// How many threads this process has now.
  static var there: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task"))?.count ?? 1
  }

  /// The most that a command has which connects to peers, beside those that are there already.
  ///
  /// - Parameter scans: how many scans it runs at a time, each in a thread of its own.
  static func toConnect(scans: Int, there: Int = there) -> Int {
    max(0, base + eachCore * ProcessInfo.processInfo.activeProcessorCount + scans - there)
  }
}

/// This process may start fewer threads than the command needs.
///
/// The libraries below do not tell: SwiftNIO ends the process when it cannot start a thread, and Dispatch tries
/// again for ever.
struct ThreadShortage: Error, CustomStringConvertible {
  /// How many threads the command needs, beside those that are there.
  let needed: Int
  /// How many of them can be started.
  let possible: Int
  /// The limit that is too low, with what raises it.
  let limit: String
  /// How many of the threads are for scans.
  var scans = 0

  var description: String {
    let fewer = scans - (needed - possible)
    return
      "the command needs up to \(needed) more threads, and can start \(possible): raise \(limit)"
      + (fewer > 0 ? ", or give at most --slots \(fewer)" : "")
  }

  /// Starts this many threads at the same time, which end at once, so that each limit counts: the account's, those of
  /// the control groups, the machine's.
  ///
  /// - Throws: ``ThreadShortage``.
  static func check(_ needed: Int, scans: Int = 0) throws(ThreadShortage) {
    // To try takes a tenth of a small command's time.
    if let room = ThreadLimit.room, needed <= room { return }
    let possible = startable(upTo: needed)
    guard possible < needed else { return }
    throw ThreadShortage(
      needed: needed, possible: possible, limit: ThreadLimit.reached(by: needed), scans: scans)
  }

  /// Checks that a command which connects to peers can start its threads.
  ///
  /// - Throws: `ExitCode`, after it has printed the error.
  static func checkToConnect(scans: Int = 0) throws {
    do {
      try check(ThreadNeed.toConnect(scans: scans), scans: scans)
    } catch {
      throw fail(error)
    }
  }

  private static func startable(upTo most: Int) -> Int {
    #if os(Linux)
      let gate = DispatchSemaphore(value: 0)
      var threads: [pthread_t] = []
      while threads.count < most {
        var thread = pthread_t()
        let status = pthread_create(
          &thread, nil,
          { gate in
            gate.map { Unmanaged<DispatchSemaphore>.fromOpaque($0).takeUnretainedValue().wait() }
            return nil
          }, Unmanaged.passUnretained(gate).toOpaque())
        guard status == 0 else { break }
        threads.append(thread)
      }
      for _ in threads { gate.signal() }
      for thread in threads { pthread_join(thread, nil) }
      return threads.count
    #else
      return most
    #endif
  }
}
