package import SkyNetCore

/// What a page shows, as messages for each viewer.
///
/// Viewers look at the same moments, so that a message is made once for all who have seen the same. A viewer
/// that is behind gets one message for all that it missed.
package protocol PageFeed: Sendable {
  /// What a viewer has been told.
  associatedtype Cursor: Hashable, Sendable

  /// `run`, `cluster` or `node`.
  var kind: String { get }
  /// How long it takes at least from one message to the next, as a number of ``ViewerPace/tick``s.
  var ticksBetweenMessages: Int { get }
  /// What a viewer has been told that has just come.
  var beginning: Cursor { get }
  /// The end of what viewers are told now.
  func cut() -> Cut<Cursor>
  /// The events that tell what happened between the two.
  func events(after cursor: Cursor, until cut: Cut<Cursor>) -> EventBytes
  /// Nothing more is to be told: the next cut is the last one.
  func end()
  var isOver: Bool { get }
  /// What parts of runs are called, and the points on the picture.
  var words: RunWords { get }
  /// The picture behind the sectors, if there is one.
  var picture: PagePicture? { get }
  /// What can be fetched besides. By default there is nothing.
  var documents: [PageDocument] { get }
}

extension PageFeed {
  package var documents: [PageDocument] { [] }
}

/// A moment up to which viewers are told.
package struct Cut<Cursor: Sendable>: Sendable {
  package let cursor: Cursor
  /// Seconds since 1970.
  package let time: Double
  /// Whether nothing comes after it.
  package let isLast: Bool
}

/// A picture of what a run scans, which may grow while it runs.
package struct PagePicture: Sendable {
  /// The size of what the picture shows: the units in which the sectors and points lie on it.
  package let width: Int
  package let height: Int
  /// How many units, along each axis, a dot of the PNG stands for.
  package let scale: Int
  /// A number that grows when there is more to see.
  package let version: @Sendable () -> Int
  /// The PNG; `nil` if nothing of it is known yet.
  package let png: @Sendable () async throws -> [UInt8]?

  package init(
    width: Int, height: Int, scale: Int, version: @escaping @Sendable () -> Int,
    png: @escaping @Sendable () async throws -> [UInt8]?
  ) {
    (self.width, self.height, self.scale) = (width, height, scale)
    (self.version, self.png) = (version, png)
  }
}
