import Testing

@testable import SkyNetCore

@Suite("Hedges in a node's queue")
struct HedgeServingTests {
  let anna = Incarnation()
  let ben = Incarnation()
  var queue = ServingQueue(slots: 1)

  init() throws {
    _ = try queue.arrived(1, from: anna, at: .at(0))
  }

  @Test("Hedges come after the other calls of all clients, even later ones")
  mutating func last() throws {
    #expect(try queue.arrived(2, from: anna, isHedge: true, at: .at(0)) == .wait)
    #expect(try queue.arrived(3, from: anna, at: .at(0)) == .wait)
    #expect(try queue.ended(1, at: .at(1)) == 3)
    #expect(try queue.arrived(4, from: ben, at: .at(1)) == .wait)
    #expect(try queue.ended(3, at: .at(2)) == 4)
    #expect(try queue.ended(4, at: .at(3)) == 2)
    #expect(try queue.ended(2, at: .at(4)) == nil)
    #expect(queue.waitingCount == 0)
  }

  @Test("A hedge takes a free slot at once")
  mutating func freeSlot() throws {
    _ = try queue.ended(1, at: .at(1))
    #expect(try queue.arrived(2, from: anna, isHedge: true, at: .at(1)) == .start)
  }

  @Test("Hedges of several clients share slots fairly")
  mutating func fairly() throws {
    _ = try queue.arrived(2, from: anna, isHedge: true, at: .at(0))
    _ = try queue.arrived(3, from: ben, isHedge: true, at: .at(0))
    #expect(try queue.ended(1, at: .at(1)) == 3)
  }

  @Test("Hedges can be withdrawn and handed back like other calls")
  mutating func leave() throws {
    _ = try queue.arrived(2, from: anna, isHedge: true, at: .at(0))
    _ = try queue.arrived(3, from: anna, isHedge: true, at: .at(0))
    try queue.withdrew(2, of: anna)
    #expect(queue.waitingCount == 1)
    #expect(queue.drain() == [3])
    #expect(try queue.ended(1, at: .at(1)) == nil)
  }
}
