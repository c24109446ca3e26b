import Testing

@Suite("The plan of a nemesis")
struct NemesisPlanTests {
  @Test("A seed gives the same plan each time")
  func repeated() {
    func plan(_ seed: UInt64) -> NemesisPlan {
      NemesisPlan(
        seed: seed, seconds: 30, victims: ["h1": [.cut], "h2": [.kill, .stop]], clients: ["h1"])
    }
    #expect(plan(1) == plan(1))
    #expect(plan(1).schedule != plan(2).schedule)
    #expect(plan(1).rounds != plan(2).rounds)
  }
}
