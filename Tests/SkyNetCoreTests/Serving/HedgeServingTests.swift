import Testing

@testable import SkyNetCore

@Suite("Hedges in a node's queue")
struct HedgeServingTests {
  let anna = Incarnation()
  let ben = Incarnation()
  var queue = ServingQueue(slots: 1)

  init() {
    _ = queue.arrived(1, from: anna, at: .at(0))
  }

  @Test("They come after all other calls, whoever's, however late these came")
  mutating func last() {
    #expect(queue.arrived(2, from: anna, isHedge: true, at: .at(0)) == .wait)
    #expect(queue.arrived(3, from: anna, at: .at(0)) == .wait)
    #expect(queue.ended(1, at: .at(1)) == 3)
    #expect(queue.arrived(4, from: ben, at: .at(1)) == .wait)
    #expect(queue.ended(3, at: .at(2)) == 4)
    #expect(queue.ended(4, at: .at(3)) == 2)
    #expect(queue.ended(2, at: .at(4)) == nil)
    #expect(queue.waitingCount == 0)
  }

  @Test("A free slot is theirs at once")
  mutating func freeSlot() {
    _ = queue.ended(1, at: .at(1))
    #expect(queue.arrived(2, from: anna, isHedge: true, at: .at(1)) == .start)
  }

  @Test("They are shared fairly among themselves")
  mutating func fairly() {
    _ = queue.arrived(2, from: anna, isHedge: true, at: .at(0))
    _ = queue.arrived(3, from: ben, isHedge: true, at: .at(0))
    #expect(queue.ended(1, at: .at(1)) == 3)
  }

  @Test("They are withdrawn, and handed back, like others")
  mutating func leave() {
    _ = queue.arrived(2, from: anna, isHedge: true, at: .at(0))
    _ = queue.arrived(3, from: anna, isHedge: true, at: .at(0))
    #expect(queue.withdrew(2, of: anna) == true)
    #expect(queue.waitingCount == 1)
    #expect(queue.drain() == [3])
    #expect(queue.ended(1, at: .at(1)) == nil)
  }
}
