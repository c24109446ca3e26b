import Foundation
import Testing

@testable import SkyNetCommand

@Suite("The panel")
struct PanelTests {
  private let window = WindowSize(columns: 12, rows: 4)

  @Test("A panel that fits is shown unchanged")
  func aPanelThatFitsIsAsItIs() {
    #expect(Panel(["a", "b", "c"], in: window).lines == ["a", "b", "c"])
  }

  @Test(
    "A panel leaves a row for the cursor",
    arguments: [
      (1, []), (2, ["  and 5 more"]), (3, ["a", "  and 4 more"]),
      (5, ["a", "b", "c", "  and 2 more"]),
      (6, ["a", "b", "c", "d", "e"]),
    ])
  func aPanelLeavesARowForTheCursor(rows: Int, lines: [String]) {
    let panel = Panel(["a", "b", "c", "d", "e"], in: WindowSize(columns: 12, rows: rows))
    #expect(panel.lines == lines)
  }

  @Test("A line is cut to the width and shows control characters")
  func aLineIsCutToTheWidthAndShowsControls() {
    #expect(
      Panel(["0123456789abcdef", "\u{1B}[2J"], in: window).lines == ["0123456789ab", "\\u{1B}[2J"])
  }

  @Test("In a narrower window, a panel is erased with the rows that its lines were broken into")
  func aNarrowerWindowBreaksLines() {
    let panel = Panel(["0123456789", "abc"], in: window)
    let narrower = WindowSize(columns: 4, rows: 4)
    #expect(panel.erasure(in: window, reflows: true) == Self.erasure(2))
    #expect(panel.erasure(in: narrower, reflows: true) == Self.erasure(4))
    #expect(panel.erasure(in: narrower, reflows: false) == Self.erasure(2))
    let wider = WindowSize(columns: 99, rows: 9)
    #expect(panel.erasure(in: wider, reflows: true) == Self.erasure(2))
  }

  /// The text that clears this many rows and the cursor's own.
  private static func erasure(_ rows: Int) -> String {
    "\r\u{1B}[2K" + String(repeating: "\u{1B}[1A\u{1B}[2K", count: rows)
  }

  @Test("A window of unknown size counts as 80 × 24")
  func aWindowOfNoSizeCountsAsTheUsualOne() {
    #expect(WindowSize(columns: 0, rows: 0) == WindowSize(columns: 80, rows: 24))
    #expect(WindowSize(of: -1) == WindowSize(columns: 80, rows: 24))
  }

  @Test("Written lines appear above the panel")
  func linesAppearAboveThePanel() throws {
    let pipe = Pipe()
    let writer = LineWriter(
      descriptor: pipe.fileHandleForWriting.fileDescriptor, isData: false)
    writer.write("before\n")
    writer.show(Panel(["p", "q"], in: window))
    writer.flush()
    // An equal panel is not drawn again.
    writer.show(Panel(["p", "q"], in: window))
    writer.flush()
    // In one text: the writer's queue, which writes what was shown, may still be about to.
    writer.write("above\ntoo\n")
    writer.flush()
    writer.show(.none)
    writer.flush()
    writer.write("after\n")
    writer.flush()
    try pipe.fileHandleForWriting.close()
    let written = try #require(try pipe.fileHandleForReading.readToEnd())
    let (drawn, erased) = ("\u{1B}[?7lp\nq\n\u{1B}[?7h", Self.erasure(2))
    #expect(
      String(decoding: written, as: UTF8.self)
        == "before\n" + drawn + erased + "above\ntoo\n" + drawn + erased + "after\n")
  }
}
