import Foundation
import SkyFiles
import SkyNetCore
import SkyNetTestKit
import Testing

@testable import ImagesWorkload

@Suite("A followed directory")
struct FollowedDirectoryTests {
  private static let image = SampleFITS.image()

  /// A directory that a test writes to, and what follows it, by a clock that the test moves.
  private struct Stage {
    let folder = NSTemporaryDirectory() + "skynet-follow-" + UUID().uuidString
    let clock = ManualClock()

    init() throws {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    func path(_ name: String) -> String { folder + "/" + name }

    func write(_ name: String, _ bytes: some Collection<UInt8> = FollowedDirectoryTests.image)
      throws
    {
      try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
    }

    /// As it is long since the file was written.
    func writeLongAgo(
      _ name: String, _ bytes: some Collection<UInt8> = FollowedDirectoryTests.image
    )
      throws
    {
      try write(name, bytes)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: path(name))
    }

    func move(_ name: String, to other: String) {
      #expect(rename(path(name), path(other)) == 0)
    }

    func remove(_ name: String) { #expect(unlink(path(name)) == 0) }

    func follow(events: Bool = true, idle: Duration? = nil) -> FollowedDirectory {
      var settings = FollowedDirectory.Settings()
      settings.usesEvents = events
      settings.idleTimeout = idle
      return FollowedDirectory(folder, settings, clock: clock)
    }

    /// Moves the clock on, once the directory is waited for.
    func pass(_ duration: Duration) async throws {
      try await clock.sleepers(atLeast: 1)
      clock.advance(by: duration)
    }
  }

  private func onStage(_ test: (Stage) async throws -> Void) async throws {
    let stage = try Stage()
    defer { try? FileManager.default.removeItem(atPath: stage.folder) }
    try await test(stage)
  }

  @Test(
    "Files whose names Unicode calls equal are told of once each, and the directory ends",
    arguments: [true, false])
  func namesCount(events: Bool) async throws {
    try await onStage { stage in
      try stage.writeLongAgo("caf\u{e9}.fits")
      try stage.writeLongAgo("cafe\u{301}.fits")
      let news = try await rest(stage.follow(events: events, idle: .seconds(5)), stage)
      let names = news.map { news in
        if case .frame(let path) = news { ExactText(path) } else { ExactText("") }
      }
      #expect(
        names.sorted() == [
          ExactText(stage.path("cafe\u{301}.fits")), ExactText(stage.path("caf\u{e9}.fits")),
        ])
    }
  }

  /// The news up to the end of an idle directory, with the names alone.
  private func rest(_ directory: FollowedDirectory, _ stage: Stage) async throws -> [FollowNews] {
    try await withThrowingTaskGroup(of: [FollowNews]?.self) { group in
      group.addTask {
        var news: [FollowNews] = []
        for try await one in directory { news.append(one) }
        return news
      }
      group.addTask {
        while !Task.isCancelled { try await stage.pass(.seconds(1)) }
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next()! ?? []
    }
  }

  @Test("Files that are there come first, by name; hidden and other names are passed over")
  func filesThatAreThereComeFirst() async throws {
    try await onStage { stage in
      for name in ["c.FIT", "a.fits", "b.fits.fz", ".x.fits", "y.fits.tmp", "z.txt", "d.fts"] {
        try stage.writeLongAgo(name)
      }
      try FileManager.default.createDirectory(
        atPath: stage.path("e.fits"), withIntermediateDirectories: true)
      #expect(mkfifo(stage.path("f.fits"), 0o600) == 0)
      try stage.writeLongAgo("g.fits.gz", [0x1f, 0x8b] + [UInt8](repeating: 0, count: 30))
      let directory = stage.follow()
      for name in ["a.fits", "b.fits.fz", "c.FIT", "d.fts", "g.fits.gz"] {
        #expect(try await directory.next() == .frame(stage.path(name)))
      }
      try stage.write("h.fits")
      #expect(try await directory.next() == .frame(stage.path("h.fits")))
      #expect(await directory.unfinished.isEmpty)
    }
  }

  @Test(
    "A file comes when its writer has closed it or renamed it into place", arguments: [true, false])
  func aFileComesWhenItIsComplete(isRenamed: Bool) async throws {
    try await onStage { stage in
      let directory = stage.follow()
      try stage.writeLongAgo("0.fits")
      #expect(try await directory.next() == .frame(stage.path("0.fits")))
      let name = isRenamed ? "a.part" : "a.fits"
      let writer = open(stage.path(name), O_WRONLY | O_CREAT, 0o644)
      var image = Self.image[...]
      while !image.isEmpty {
        let count = write(writer, Array(image.prefix(1000)), min(1000, image.count))
        image = image.dropFirst(count)
      }
      close(writer)
      if isRenamed { stage.move("a.part", to: "a.fits") }
      #expect(try await directory.next() == .frame(stage.path("a.fits")))
      try stage.write("b.fits")
      #expect(try await directory.next() == .frame(stage.path("b.fits")))
    }
  }

  @Test("A file that its writer keeps open comes when it has all its bytes and stays so")
  func aFileThatIsKeptOpenComes() async throws {
    try await onStage { stage in
      let directory = stage.follow(idle: .seconds(100))
      let writer = open(stage.path("a.fits"), O_WRONLY | O_CREAT, 0o644)
      defer { close(writer) }
      #expect(write(writer, Self.image, 5000) == 5000)
      var news = try await rest(directory, stage)
      #expect(news == [])
      #expect(
        await directory.unfinished == [
          UnfinishedFile(
            path: stage.path("a.fits"),
            reason: "is not complete: it has 5000 of at least 6880 bytes")
        ])
      #expect(write(writer, Array(Self.image[5000...]), Self.image.count - 5000) > 0)
      news = try await rest(directory, stage)
      #expect(news == [.frame(stage.path("a.fits"))])
      #expect(await directory.unfinished.isEmpty)
    }
  }

  @Test("Without the kernel's events the directory is listed", arguments: [true, false])
  func eachFrameComesOnce(hasEvents: Bool) async throws {
    try await onStage { stage in
      let directory = stage.follow(events: hasEvents, idle: .seconds(60))
      try stage.write("b.fits")
      try stage.write("short.fits", Self.image.prefix(4000))
      try stage.write("text.fits", Array("text".utf8))
      var news = try await rest(directory, stage)
      #expect(news == [.frame(stage.path("b.fits"))])
      #expect(await directory.hasEvents == hasEvents)
      // Rewritten, renamed, linked, removed and made again, completed.
      try stage.write("b.fits", SampleFITS.image(value: 8))
      try stage.write("a.tmp")
      stage.move("a.tmp", to: "a.fits")
      news = try await rest(directory, stage)
      #expect(
        news.sorted { "\($0)" < "\($1)" } == [
          .frame(stage.path("a.fits")), .rewritten(stage.path("b.fits")),
        ])
      stage.move("a.fits", to: "c.fits")
      try stage.write("short.fits")
      stage.remove("text.fits")
      try FileManager.default.createSymbolicLink(
        atPath: stage.path("d.fits"), withDestinationPath: "c.fits")
      news = try await rest(directory, stage)
      #expect(
        news.sorted { "\($0)" < "\($1)" } == [
          .again(stage.path("c.fits"), formerly: stage.path("a.fits")),
          .again(stage.path("d.fits"), formerly: stage.path("a.fits")),
          .frame(stage.path("short.fits")),
        ])
      #expect(await directory.unfinished.isEmpty)
      news = try await rest(directory, stage)
      #expect(news == [])
    }
  }

  @Test("A link to the latest frame is no frame, whatever its name")
  func aLinkToTheLatestFrameIsNoFrame() async throws {
    try await onStage { stage in
      try stage.writeLongAgo("frame-1.fits")
      try FileManager.default.createSymbolicLink(
        atPath: stage.path("a.fits"), withDestinationPath: "frame-1.fits")
      let directory = stage.follow()
      #expect(try await directory.next() == .frame(stage.path("frame-1.fits")))
      #expect(
        try await directory.next()
          == .again(stage.path("a.fits"), formerly: stage.path("frame-1.fits")))
      try stage.write("frame-2.fits", SampleFITS.image(value: 8))
      #expect(try await directory.next() == .frame(stage.path("frame-2.fits")))
      try FileManager.default.createSymbolicLink(
        atPath: stage.path("new"), withDestinationPath: "frame-2.fits")
      stage.move("new", to: "a.fits")
      #expect(
        try await directory.next()
          == .again(stage.path("a.fits"), formerly: stage.path("frame-2.fits")))
    }
  }

  @Test("A wait that was cancelled loses no news")
  func aCancelledWaitLosesNoNews() async throws {
    try await onStage { stage in
      let directory = stage.follow()
      let waiting = Task { try await directory.next() }
      try await stage.clock.sleepers(atLeast: 1)
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
      try stage.write("a.fits")
      #expect(try await directory.next() == .frame(stage.path("a.fits")))
    }
  }

  @Test(
    "A directory that is removed or is none ends the news with an error", arguments: [true, false])
  func aRemovedDirectoryIsAnError(hasEvents: Bool) async throws {
    try await onStage { stage in
      try FileManager.default.createDirectory(
        atPath: stage.path("night"), withIntermediateDirectories: true)
      var settings = FollowedDirectory.Settings()
      settings.usesEvents = hasEvents
      let directory = FollowedDirectory(stage.path("night"), settings, clock: stage.clock)
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          let error = await #expect(throws: FollowError.self) { try await directory.next() }
          #expect(
            error?.description.hasPrefix("\(stage.path("night")): the followed directory ") == true)
        }
        try await stage.clock.sleepers(atLeast: 1)
        #expect(rmdir(stage.path("night")) == 0)
        if !hasEvents { stage.clock.advance(by: .seconds(2)) }
        try await group.waitForAll()
      }
      try stage.write("file")
      for (name, fault) in [("none", "cannot be listed"), ("file", "is no directory")] {
        let error = await #expect(throws: FollowError.self) {
          try await FollowedDirectory(stage.path(name), clock: stage.clock).next()
        }
        #expect(error?.description.contains(fault) == true)
      }
    }
  }
}
