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

/// The event loops of this process, SwiftNIO's shared ones.
package enum EventLoops {
  private static let areThere = Atomic<Bool>(false)
  /// What waits for sockets, for timers and for other threads takes a descriptor each.
  private static let descriptorsEach = 3
  /// For a listener, and a connection or two.
  private static let spareDescriptors = 4

  /// How many descriptors they take together.
  package static var descriptors: Int {
    NIOSingletons.groupLoopCountSuggestion * descriptorsEach
  }

  /// They are made at the first call. SwiftNIO ends the process where it cannot make them, so it is
  /// asked only when there are descriptors for all.
  ///
  /// - Throws: `IOError`, if there are not.
  static func all() throws -> MultiThreadedEventLoopGroup {
    if !areThere.load(ordering: .relaxed) {
      let needed = descriptors + spareDescriptors
      guard Descriptors.left(upTo: needed) >= needed else {
        throw IOError(errnoCode: EMFILE, reason: "event loops")
      }
      areThere.store(true, ordering: .relaxed)
    }
    return MultiThreadedEventLoopGroup.singleton
  }
}
