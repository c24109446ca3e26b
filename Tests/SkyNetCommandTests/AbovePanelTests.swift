import Testing

@testable import SkyNetCommand

@Suite("What moves above and in a panel")
struct AbovePanelTests {
  @Test("The light runs to the other end and back")
  func light() {
    let texts = (0..<10).map { HelpingLight.text(at: Double($0) / 5 + 0.01, columns: 3).text }
    #expect(
      texts == ["●··", "·●·", "··●", "·●·", "●··", "·●·", "··●", "·●·", "●··", "·●·"])
    #expect(Symbols.inASCII(HelpingLight.text(at: 0.45, columns: 5).text) == "--o--")
    // It stands still between, so that the panel is not redrawn for it each time.
    #expect(HelpingLight.text(at: 0.01, columns: 5) == HelpingLight.text(at: 0.19, columns: 5))
  }

  @Test("Few completions all have their line")
  func few() {
    var completions = CompletionLines()
    let shown = (0..<40).count { completions.shows(at: Double($0) * 0.25) }
    #expect(shown == 40 && !completions.isHolding)
  }

  @Test("Of many, the first ones of a second have a line, and the others are counted")
  func many() {
    var completions = CompletionLines()
    let shown = (0..<49).count { completions.shows(at: 10 + Double($0) / 100) }
    #expect(shown == CompletionLines.perSecond)
    #expect(completions.isHolding)
    let lines = [10.9, 11, 12].map { completions.due(at: $0) }
    #expect(lines == [nil, "and 45 more completed", nil])
    let isShown = completions.shows(at: 12.1)
    #expect(isShown && !completions.isHolding)
  }

  @Test("The lines a second are bounded, however many complete")
  func bounded() {
    var completions = CompletionLines()
    var lines = 0
    for milliseconds in 0..<10_000 {
      let now = Double(milliseconds) / 1000
      if completions.shows(at: now) { lines += 1 }
      if completions.due(at: now) != nil { lines += 1 }
    }
    #expect(lines <= 10 * (CompletionLines.perSecond + 1))
  }

  @Test("A line that is too long ends with an ellipsis in the window's last column")
  func cut() {
    let line = StyledText("gave up 25", .bad) + StyledText(": no star")
    #expect(line.cut(to: 19) == line)
    #expect(line.cut(to: 12).text == "gave up 25:…")
    #expect(line.cut(to: 12, ellipsis: "...").text == "gave up 2...")
    #expect(line.cut(to: 12).parts.first == .init(text: "gave up 25", style: .bad))
    #expect(line.cut(to: 2, ellipsis: "...").text == "..")
    #expect(StyledText("火星の").cut(to: 4).columns <= 4)
  }
}
