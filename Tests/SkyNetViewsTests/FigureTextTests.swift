import Testing

@testable import SkyNetViews

@Suite("Figures in words")
struct FigureTextTests {
  @Test(
    "Times have two units at most",
    arguments: [
      (0.2, "1 s"), (59, "59 s"), (125, "2 min 5 s"), (12_000, "3 h 20 min"), (-1, "0 s"),
      (1e30, "277777 h 46 min"),
    ])
  func times(seconds: Double, text: String) {
    #expect(FigureText.time(seconds) == text)
  }

  @Test(
    "Rates have a decimal below a hundred",
    arguments: [(0, "0.0"), (12.24, "12.2"), (99.96, "100"), (4321, "4321")])
  func rates(rate: Double, text: String) {
    #expect(FigureText.rate(rate) == text)
  }
}
