import Testing

@testable import SkyScan

@Suite("Whether pixels are packed")
struct PackingChoiceTests {
  /// Sends sectors of 1 MB, with these seconds each, and returns how many were packed.
  private func send(
    _ count: Int, by choice: inout PackingChoice, plain: Double, packed: Double
  ) -> Int {
    (0..<count).reduce(0) { sum, _ in
      let isPacked = choice.next()
      choice.delivered(
        isPacked: isPacked, bytes: 1_000_000, in: isPacked ? packed : plain)
      return sum + (isPacked ? 1 : 0)
    }
  }

  @Test("The way that takes less time is found, and the other one tried from time to time")
  func choice() {
    var fast = PackingChoice()
    let onFast = send(1000, by: &fast, plain: 0.002, packed: 0.006)
    #expect((PackingChoice.trials...25).contains(onFast))
    var slow = PackingChoice()
    let onSlow = send(1000, by: &slow, plain: 0.02, packed: 0.012)
    #expect((975...1000 - PackingChoice.trials).contains(onSlow))
  }

  @Test("A network that becomes slow is noticed")
  func change() {
    var choice = PackingChoice()
    _ = send(200, by: &choice, plain: 0.002, packed: 0.006)
    _ = send(100, by: &choice, plain: 0.02, packed: 0.012)
    #expect(send(100, by: &choice, plain: 0.02, packed: 0.012) > 90)
  }

  @Test("Sectors under way before anything has arrived go both ways")
  func ahead() {
    var choice = PackingChoice()
    let ways = (0..<8).map { _ in choice.next() }
    #expect(ways == [false, false, false, true, true, true, false, false])
  }
}
