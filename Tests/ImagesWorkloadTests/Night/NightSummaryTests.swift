import Foundation
import SkyNetTestKit
import Testing

@testable import ImagesWorkload

@Suite("The summary of a night")
struct NightSummaryTests {
  private static let head = "image,state,sources,seconds,systems,sectors,failed,reason\n"

  @Test("Each image has a row, in order, with what is known of it")
  func eachImageHasARow() {
    var summary = NightSummary()
    summary.set(
      .init(
        image: "b.fits", state: .failed, systems: ["local": 3], sectors: 4, failed: 1,
        reason: "sector 2 failed on a: no memory"), at: 1)
    #expect(
      String(decoding: summary.csv, as: UTF8.self) == Self.head
        + "b.fits,failed,,,local 3,4,1,sector 2 failed on a: no memory\n")
    summary.set(
      .init(
        image: "night/a.fits[CCD2]", state: .done, sources: 1234, seconds: 61.0204,
        systems: ["b": 5, "local": 9, "a": 5], sectors: 19, failed: 0), at: 0)
    summary.set(.init(image: "c.fits", state: .running, seconds: 0.0996), at: 2)
    let lines = String(decoding: summary.csv, as: UTF8.self).split(separator: "\n")
    #expect(lines[1] == "night/a.fits[CCD2],done,1234,61.020,local 9; a 5; b 5,19,0,")
    #expect(lines[3] == "c.fits,running,,0.100,,,,")
  }

  @Test(
    "A cell that holds commas, quotes or line ends is quoted",
    arguments: [
      ("a,b", "\"a,b\""), ("say \"x\"", "\"say \"\"x\"\"\""), ("a\nb", "\"a\nb\""),
      ("a\r\nb", "\"a\r\nb\""), (" a", "\" a\""), ("a ", "\"a \""), ("a b", "a b"), ("é;'", "é;'"),
      ("\"\u{301}", "\"\"\"\u{301}\""),
    ])
  func specialCellsAreQuoted(text: String, cell: String) {
    var summary = NightSummary()
    summary.set(.init(image: "a", systems: cell == text ? [text: 2] : [:], reason: text), at: 0)
    let line = "a,waiting,,," + (cell == text ? "\(text) 2" : "") + ",,," + cell + "\n"
    let rest = summary.csv.dropFirst(Self.head.utf8.count)
    #expect(rest.elementsEqual(line.utf8))
  }

  @Test(
    "A text that a spreadsheet would run as a formula has an apostrophe before it, and a number has none",
    arguments: [
      ("=1+1", "'=1+1"), ("+a", "'+a"), ("-a", "'-a"), ("@a", "'@a"), ("\t=1", "'\t'=1"),
      ("\r=1", "\"'\r'=1\""), ("x;=1", "x;'=1"), ("x; @a\t-b", "x; '@a\t'-b"),
      ("a;b=1;2", "a;b=1;2"), ("=a,b", "\"'=a,b\""), ("-1.5", "-1.5"), ("+3e5", "+3e5"),
      ("a=1", "a=1"),
    ])
  func formulas(text: String, cell: String) {
    var summary = NightSummary()
    summary.set(.init(image: text, systems: ["=b": 1], reason: text), at: 0)
    let rest = summary.csv.dropFirst(Self.head.utf8.count)
    #expect(rest.elementsEqual("\(cell),waiting,,,'=b 1,,,\(cell)\n".utf8))
  }

  @Test("The file is a whole table at any time, and is written again after a while")
  func theFileIsAWholeTable() async throws {
    let path = NSTemporaryDirectory() + "skynet-summary-\(UUID().uuidString).csv"
    defer { try? FileManager.default.removeItem(atPath: path) }
    func written() -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "none" }
    let clock = ManualClock()
    let file = try NightSummaryFile(path: path, clock: clock)
    #expect(written() == "none")
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await file.run() }
      await file.set(.init(image: "a", state: .done), at: 0)
      try await clock.sleepers(atLeast: 1)
      #expect(written() == Self.head + "a,done,,,,,,\n")
      await file.set(.init(image: "b", state: .running), at: 1)
      await file.set(.init(image: "b", state: .failed), at: 1)
      #expect(written() == Self.head + "a,done,,,,,,\n")
      clock.advance(by: .seconds(10))
      try await clock.sleepers(atLeast: 1)
      #expect(written() == Self.head + "a,done,,,,,,\nb,failed,,,,,,\n")
      await file.set(.init(image: "c", state: .done), at: 2)
      group.cancelAll()
      while let result = await group.nextResult() {
        #expect(throws: CancellationError.self) { try result.get() }
      }
    }
    try await file.finish()
    #expect(written() == Self.head + "a,done,,,,,,\nb,failed,,,,,,\nc,done,,,,,,\n")
  }

  @Test("A file that cannot be written is an error before the run")
  func aFileThatCannotBeWrittenIsAnError() {
    #expect(throws: (any Error).self) { try NightSummaryFile(path: "/nowhere/at/all.csv") }
  }
}
