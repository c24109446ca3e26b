import NIOCore
import NIOPosix
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The event loops of this process, SwiftNIO's shared ones. One of them has all connections to peers, and runs this
/// process's cluster: `EventLoopExecutor`. Pages and metrics are served on whichever comes.
package enum EventLoops {
  private static let areMade = Atomic<Bool>(false)
  /// Each event loop has three: for `epoll`, for timers, and for wake-ups by other threads.
  private static let descriptorsEach = 3
  /// For a listener, and a connection or two.
  private static let spareDescriptors = 4

  /// How many descriptors all event loops take together.
  package static var descriptors: Int {
    NIOSingletons.groupLoopCountSuggestion * descriptorsEach
  }

  /// The event loops, which the first call makes. SwiftNIO ends the process if it cannot make them, so this
  /// checks first that there are enough descriptors.
  ///
  /// - Throws: `IOError` if there are too few.
  static func all() throws -> MultiThreadedEventLoopGroup {
    if !areMade.load(ordering: .relaxed) {
      let needed = descriptors + spareDescriptors
      guard Descriptors.left(upTo: needed) >= needed else {
        throw IOError(errnoCode: EMFILE, reason: "event loops")
      }
    }
    return made
  }

  /// The event loops, without a check.
  static var made: MultiThreadedEventLoopGroup {
    areMade.store(true, ordering: .relaxed)
    return MultiThreadedEventLoopGroup.singleton
  }

  /// The one of all connections to peers.
  ///
  /// - Throws: as ``all()``.
  static func ofPeers() throws -> any EventLoop {
    _ = try all()
    return EventLoopExecutor.eventLoop
  }

  /// Has each event loop's thread run this once, if they were made.
  package static func onEach(_ errand: @escaping @Sendable () -> Void) {
    guard areMade.load(ordering: .relaxed) else { return }
    for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() { loop.execute(errand) }
  }
}
