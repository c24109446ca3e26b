import Foundation
import SkyScan
import Testing

@Suite("Outputs of a night that are gone", .timeLimit(.ample))
struct LostOutputTests {
  @Test("Outputs that are removed, cut off or otherwise gone are written again from the journal")
  func lost() async throws {
    try await Stage.with { stage in
      var frames = try NightFrames(on: stage)
      try await frames.add(5)
      let alone = try await frames.alone()
      let arguments = frames.arguments(and: [
        "--catalog", stage.file("more/{name}.fits"), "--picture", stage.file("more/{name}.png"),
        "--journal", stage.file("night.sqlite"),
      ])
      let first = try await stage.engage(arguments).outcome()
      #expect(first.status == 0, "\(first.errors)")
      let more = try Self.contents(of: stage.file("more"))
      #expect(more.count == 10)

      try FileManager.default.removeItem(atPath: frames.catalog(of: frames.paths[0]))
      #expect(truncate(frames.catalog(of: frames.paths[1]), 10) == 0)
      try FileManager.default.removeItem(atPath: stage.file("more/frame3.fits"))
      try Data("another".utf8).write(to: URL(fileURLWithPath: stage.file("more/frame4.png")))
      let again = try await stage.engage(arguments).outcome()
      #expect(again.status == 0, "\(again.errors)")
      #expect(try NightLine(again.errors).done == 5)
      #expect(
        again.errors.count { $0.contains("is not there as it was written: it is written again") }
          == 4, "\(again.errors)")
      // All of it came from the journal.
      #expect(try again.summary.before == 5 && again.summary.shares.isEmpty, "\(again.errors)")
      #expect(try frames.expectWhole(alone) == 5)
      #expect(try Self.contents(of: stage.file("more")) == more)

      let third = try await stage.engage(arguments).outcome()
      #expect(third.status == 0)
      #expect(try NightLine(third.errors).before == 5, "\(third.errors)")

      // What stands in an output's place is not removed.
      let blocked = frames.catalog(of: frames.paths[4])
      try FileManager.default.removeItem(atPath: blocked)
      try FileManager.default.createDirectory(
        atPath: blocked, withIntermediateDirectories: false)
      let refused = try await stage.engage(arguments).outcome()
      #expect(refused.status == 2, "\(refused.errors)")
      #expect(refused.errors.last?.contains(blocked) == true, "\(refused.errors)")
    }
  }

  /// The files of a folder with their contents.
  private static func contents(of folder: String) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    return Dictionary(
      uniqueKeysWithValues: names.map {
        ($0, FileManager.default.contents(atPath: folder + "/" + $0) ?? Data())
      })
  }
}
