import Testing

@testable import SkyNetCommand

@Suite("Results in the order of their sectors")
struct ResultOrderTests {
  @Test("A line waits until all before it are there")
  func order() {
    var order = ResultOrder<String>()
    order.expect(0..<4)
    #expect(order.lines(after: "c", of: 2) == [])
    #expect(order.lines(after: "a", of: 0) == ["a"])
    #expect(order.lines(after: "b", of: 1) == ["b", "c"])
    #expect(order.lines(after: "d", of: 3) == ["d"])
    #expect(order.rest() == [])
  }

  @Test("The parts of a growing job come in the order in which it has added them")
  func parts() {
    var order = ResultOrder<String>()
    order.expect(0..<0)
    order.expect(7..<8)
    #expect(order.lines(after: "seven", of: 7) == ["seven"])
    order.expect(2..<4)
    order.expect(9..<9)
    order.expect(0..<1)
    #expect(order.lines(after: "zero", of: 0) == [])
    #expect(order.lines(after: "three", of: 3) == [])
    #expect(order.lines(after: "two", of: 2) == ["two", "three", "zero"])
  }

  @Test("At the end, what waited for sectors without a result comes in order")
  func rest() {
    var order = ResultOrder<String>()
    order.expect(0..<9)
    #expect(order.lines(after: "b", of: 5) == [])
    #expect(order.lines(after: "a", of: 3) == [])
    #expect(order.rest() == ["a", "b"])
    #expect(order.rest() == [])
  }
}
