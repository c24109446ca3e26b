import SkyFiles
import SkyNetCore
import Testing

@testable import ImagesWorkload

@Suite("Which files of a followed directory are frames")
struct FrameArrivalsTests {
  /// Files that are looked at, by a clock that the test moves.
  private struct Arrivals {
    var now = Instant()
    var arrivals = FrameArrivals(at: Instant())

    mutating func look(
      _ name: String, _ version: FileVersion?, _ extent: FITSExtent = .complete,
      closed: Bool = false,
      age: Duration = .zero
    ) -> FollowNews? {
      arrivals.looked(
        at: ExactText(name), version, extent: extent, isClosed: closed, age: age, now: now)
    }
  }

  private func version(_ number: UInt64, size: Int = 100, modified: Int = 1) -> FileVersion {
    FileVersion(number: number, size: size, modified: modified)
  }

  @Test("A file is a frame when its writer closes it, or after a while, and once")
  func aFileIsAFrameOnce() {
    var test = Arrivals()
    #expect(test.look("a", version(1), closed: true) == .frame("a"))
    #expect(test.look("a", version(1), closed: true) == nil)
    #expect(test.look("b", version(2)) == nil)
    #expect(test.arrivals.nextLook == test.now + .seconds(2))
    test.now = test.now + .seconds(1)
    #expect(test.arrivals.due(test.now) == [] && test.look("b", version(2)) == nil)
    test.now = test.now + .seconds(1)
    #expect(test.arrivals.due(test.now) == ["b"] && test.look("b", version(2)) == .frame("b"))
    #expect(test.arrivals.nextLook == nil && test.look("b", version(2)) == nil)
    #expect(test.look("c", version(3), age: .seconds(2)) == .frame("c"))
  }

  @Test("A change starts the wait anew, and closing an incomplete file does not complete it")
  func aChangeStartsTheWaitAnew() {
    var test = Arrivals()
    #expect(test.look("a", version(1, size: 5), .short(needed: 100), closed: true) == nil)
    test.now = test.now + .seconds(10)
    #expect(test.look("a", version(1, size: 100)) == nil)
    test.now = test.now + .seconds(1)
    #expect(test.look("a", version(1, size: 200)) == nil)
    test.now = test.now + .seconds(1)
    #expect(test.look("a", version(1, size: 200)) == nil)
    test.now = test.now + .seconds(1)
    #expect(test.look("a", version(1, size: 200)) == .frame("a"))
  }

  @Test("A gzipped file waits longer, unless it is closed")
  func aGzippedFileWaitsLonger() {
    var test = Arrivals()
    #expect(test.look("a", version(1), .unknown) == nil)
    #expect(test.look("b", version(2), .unknown, closed: true) == .frame("b"))
    test.now = test.now + .seconds(29)
    #expect(test.look("a", version(1), .unknown) == nil)
    test.now = test.now + .seconds(1)
    #expect(test.look("a", version(1), .unknown) == .frame("a"))
  }

  @Test("A rewrite of a frame is told once it is settled, and is no frame")
  func aRewriteIsTold() {
    var test = Arrivals()
    _ = test.look("a", version(1), closed: true)
    #expect(test.look("a", version(1, size: 5, modified: 2)) == nil)
    test.now = test.now + .seconds(1)
    #expect(test.look("a", version(1, modified: 3)) == nil)
    test.now = test.now + .seconds(2)
    #expect(test.look("a", version(1, modified: 3)) == .rewritten("a"))
    #expect(test.look("a", version(1, modified: 3)) == nil)
    #expect(test.look("a", version(9, modified: 4), closed: true) == .rewritten("a"))
    // Also if it was gone between.
    #expect(test.look("a", nil) == nil)
    #expect(test.look("a", version(10, modified: 5), closed: true) == .rewritten("a"))
    #expect(test.arrivals.unfinished.isEmpty)
  }

  @Test("A frame under another name is told, and is no frame again")
  func aFrameUnderAnotherNameIsTold() {
    var test = Arrivals()
    _ = test.look("a", version(1), closed: true)
    #expect(test.look("b", version(1), closed: true) == .again("b", formerly: "a"))
    #expect(test.look("b", version(1), closed: true) == nil)
    // Another file with the same number is another frame.
    #expect(test.look("c", version(1, modified: 2), closed: true) == .frame("c"))
  }

  @Test("A file that goes before it is complete is forgotten, and may come again")
  func aFileThatGoesIsForgotten() {
    var test = Arrivals()
    _ = test.look("a", version(1), .short(needed: 200))
    _ = test.look("b", version(2), .short(needed: 200))
    _ = test.look("a", nil)
    test.arrivals.listed(["c"])
    #expect(test.arrivals.unfinished.isEmpty && test.arrivals.nextLook == nil)
    #expect(test.look("a", version(3), closed: true) == .frame("a"))
  }

  @Test("Files that never become complete are told with their reasons, by name")
  func unfinishedFilesAreTold() {
    var test = Arrivals()
    _ = test.look("c", version(1), .notFITS("does not begin as a FITS file does"))
    _ = test.look("b", version(2, size: 7), .short(needed: 200))
    _ = test.look("a", version(3))
    let unfinished = test.arrivals.unfinished
    #expect(unfinished.map(\.name) == ["a", "b", "c"])
    #expect(
      unfinished.map(\.reason) == [
        "may not be complete: it was changed a moment ago",
        "is not complete: it has 7 of at least 200 bytes", "does not begin as a FITS file does",
      ])
  }

  @Test("An incomplete file is looked at for a minute after its last change")
  func anIncompleteFileIsLookedAtForAMinute() {
    var test = Arrivals()
    var looks = 0
    _ = test.look("a", version(1), .short(needed: 200))
    while let next = test.arrivals.nextLook {
      test.now = next
      looks += 1
      _ = test.look("a", version(1), .short(needed: 200))
    }
    #expect(looks == 30 && test.now == Instant() + .seconds(60))
    _ = test.look("a", version(1, size: 150), .short(needed: 200))
    #expect(test.arrivals.nextLook == test.now + .seconds(2))
  }

  @Test("The last change is a file's coming or growing, not a look at it")
  func theLastChangeIsAFilesComing() {
    var test = Arrivals()
    test.now = test.now + .seconds(5)
    _ = test.look("a", version(1), .short(needed: 200))
    test.now = test.now + .seconds(5)
    _ = test.look("a", version(1), .short(needed: 200))
    #expect(test.arrivals.lastChange == Instant() + .seconds(5))
  }
}
