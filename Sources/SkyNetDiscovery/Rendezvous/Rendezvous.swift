import Foundation
package import Logging
package import SkyNetCluster
import SkyNetCore
import Synchronization

/// Nodes and programs that find each other by files in one directory, such as one on a shared file system.
///
/// Each node keeps a file there with its addresses, and renews it every few seconds. Others read the directory
/// again and again, as file servers do not tell of changes. A node removes its file when it ends; the file of a
/// node that died counts for half a minute, and is removed by other nodes after some minutes.
package struct Rendezvous: Discovery, Advertiser {
  /// How often a node renews its file.
  static let heartbeat = Duration.seconds(5)
  /// How long a file counts that is not renewed: that of a node on a slow file server, too.
  static let lifetime = Duration.seconds(30)
  /// A file that was not renewed for so many seconds is removed.
  static let oldAge = 300.0
  /// How often a node looks for such files, in heartbeats.
  private static let beatsPerLook = 12
  /// How often the directory is read at most, at least, and how long each file adds.
  private static let (leastPause, mostPause) = (Duration.seconds(2), Duration.seconds(10))
  private static let pausePerFile = Duration.milliseconds(10)
  /// The log names so many files that are skipped.
  private static let mostSkippedTold = 8

  private let directory: RendezvousDirectory
  private let logger: Logger
  private let pause: Duration

  /// - Parameters:
  ///   - path: the directory.
  ///   - isNode: whether this is for a node, which reads the directory only for its log, and so less often.
  ///   - logger: takes a line for each file in the directory that is no node's.
  package init(
    _ path: String, isNode: Bool = false,
    logger: Logger = Logger(label: "skynet.rendezvous")
  ) {
    directory = RendezvousDirectory(path: path)
    self.logger = logger
    pause = isNode ? Self.mostPause : Self.leastPause
  }

  /// Checks that the directory can be used.
  ///
  /// - Parameter isWriting: whether a node is to write there.
  /// - Throws: ``RendezvousError``, whose description says what to do.
  package func check(isWriting: Bool) throws(RendezvousError) {
    try directory.check(isWriting: isWriting)
  }

  // MARK: Discovery

  /// Watches the directory until the stream ends or its task is cancelled. While the directory cannot be read, the
  /// stream yields `unavailable` once, and the nodes that were found stay found.
  package func events() -> AsyncStream<DiscoveryEvent> {
    AsyncStream { events in
      let reader = Mutex(Reader(view: RendezvousView(lifetime: Self.lifetime)))
      let owned = Owned(reader)
      let thread = RepeatingThread.start("rendezvous-read") { [directory, logger, pause] in
        owned.value.withLock { $0.turn(directory, events, logger, leastPause: pause) }
      }
      events.onTermination = { _ in thread.stop() }
    }
  }

  /// What the reading thread keeps from turn to turn.
  private struct Reader {
    var view: RendezvousView
    var told: Set<String> = []
    var fault: RendezvousError?
    let clock = SteadyClock()

    mutating func turn(
      _ directory: RendezvousDirectory, _ events: AsyncStream<DiscoveryEvent>.Continuation,
      _ logger: Logger, leastPause: Duration
    ) -> Duration {
      let content: RendezvousDirectory.Content
      do throws(RendezvousError) {
        content = try directory.read()
      } catch {
        if error != fault { events.yield(.unavailable(reason: error.description)) }
        fault = error
        return leastPause
      }
      if fault != nil { events.yield(.available) }
      fault = nil
      for event in view.read(content.entries, at: clock.now) { events.yield(event) }
      for skipped in content.skipped where told.count < Rendezvous.mostSkippedTold {
        guard told.insert(skipped.name).inserted else { continue }
        let name = skipped.name.unicodeScalars.map { scalar in
          scalar.isControl ? "?" : String(scalar)
        }.joined()
        logger.warning("skipping \(name) in \(directory.path): \(skipped.reason)")
      }
      return min(
        max(leastPause, Rendezvous.pausePerFile * content.entries.count), Rendezvous.mostPause)
    }
  }

  /// Lets a closure that may be called on another thread refer to a value that cannot be copied.
  private final class Owned<Value: ~Copyable & Sendable>: Sendable {
    let value: Value
    init(_ value: consuming Value) { self.value = value }
  }

  // MARK: Advertising

  /// Keeps the node's file until the stream ends or its task is cancelled. Ending waits until the file is removed,
  /// for a second at most.
  package func advertise(_ advertisement: Advertisement) -> AsyncStream<AdvertisementEvent> {
    AsyncStream { events in
      let writer = Owned(Mutex(Writer(advertisement: advertisement)))
      let thread = RepeatingThread.start("rendezvous") { [directory] in
        writer.value.withLock { $0.turn(directory, events) }
        return Self.heartbeat
      } last: { [directory] in
        directory.remove(advertisement.incarnation)
      }
      events.onTermination = { _ in thread.stop(waiting: .seconds(1)) }
    }
  }

  /// What the writing thread keeps from turn to turn.
  private struct Writer {
    let advertisement: Advertisement
    var beat = 0
    var isRegistered = false
    var fault: RendezvousError?
    var old = OldEntries(age: Rendezvous.oldAge)

    mutating func turn(
      _ directory: RendezvousDirectory, _ events: AsyncStream<AdvertisementEvent>.Continuation
    ) {
      // Looked up each time: a machine may get its addresses after the node has started.
      let addresses = advertisement.address.map { [$0] } ?? MachineAddresses.all
      guard !addresses.isEmpty else {
        if isRegistered || beat == 0 {
          events.yield(.unavailable(reason: "this machine has no address"))
        }
        isRegistered = false
        beat += 1
        return
      }
      var entry = RendezvousEntry(advertisement, at: addresses)
      entry.beat = beat
      beat += 1
      do throws(RendezvousError) {
        let written = try directory.write(entry)
        if !isRegistered { events.yield(.registered(name: advertisement.name)) }
        (isRegistered, fault) = (true, nil)
        guard beat % Rendezvous.beatsPerLook == 1 else { return }
        for name in old.looked(try directory.writingTimes(), own: written) {
          directory.remove(file: name)
        }
      } catch {
        if error != fault { events.yield(.unavailable(reason: error.description)) }
        (isRegistered, fault) = (false, error)
      }
    }
  }
}
