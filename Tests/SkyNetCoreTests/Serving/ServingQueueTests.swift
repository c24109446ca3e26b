import Testing

@testable import SkyNetCore

@Suite("The serving queue")
struct ServingQueueTests {
  let anna = Incarnation()
  let ben = Incarnation()
  var queue = ServingQueue(slots: 2)

  /// Runs each call that the queue starts for a second. Returns the served clients, in order.
  private mutating func serve(_ clients: [UInt64: String], running: [UInt64]) throws -> [String] {
    var served: [String] = []
    var running = running
    var now = 1.0
    while let call = running.first {
      running.removeFirst()
      if let next = try queue.ended(call, at: .at(now)) {
        running.append(next)
        served.append(clients[next] ?? "?")
      }
      now += 1
    }
    return served
  }

  @Test("Calls start while there are slots, and then wait and start in order")
  mutating func inOrder() throws {
    #expect(try queue.arrived(1, from: anna, at: .at(0)) == .start)
    #expect(try queue.arrived(2, from: anna, at: .at(0)) == .start)
    #expect(try queue.arrived(3, from: anna, at: .at(0)) == .wait)
    #expect(try queue.arrived(4, from: anna, at: .at(0)) == .wait)
    #expect(queue.runningCount == 2)
    #expect(queue.waitingCount == 2)
    #expect(try queue.ended(2, at: .at(1)) == 3)
    #expect(try queue.ended(1, at: .at(1)) == 4)
    #expect(try queue.ended(3, at: .at(1)) == nil)
    #expect(queue.runningCount == 1)
  }

  @Test("A client that leaves its answers unread gets no slot until it reads them, and others do")
  mutating func unread() throws {
    #expect(try queue.arrived(1, from: anna, at: .at(0)) == .start)
    queue.leavesUnread(anna)
    #expect(try queue.arrived(2, from: anna, at: .at(0)) == .wait)
    #expect(try queue.arrived(3, from: anna, at: .at(0)) == .wait)
    #expect(try queue.arrived(4, from: ben, at: .at(0)) == .start)
    #expect(try queue.arrived(5, from: ben, at: .at(0)) == .wait)
    #expect(try queue.ended(1, at: .at(1)) == 5)
    #expect(try queue.ended(4, at: .at(1)) == nil)
    #expect(queue.next(at: .at(1)) == nil)
    queue.reads(anna)
    #expect(queue.next(at: .at(2)) == 2)
    #expect(queue.next(at: .at(2)) == nil)
    #expect(try queue.ended(5, at: .at(3)) == 3)
  }

  @Test("The owner of the slots keeps half of them, however many others want the rest")
  func ownersHalf() throws {
    var queue = ServingQueue(slots: 4, owner: anna)
    let others = [ben, Incarnation(), Incarnation()]
    var clients: [UInt64: Incarnation] = [:]
    var running: [UInt64] = []
    for call in UInt64(1)...40 {
      let client = call <= 10 ? anna : others[Int(call) % others.count]
      clients[call] = client
      if try queue.arrived(call, from: client, at: .at(0)) == .start { running.append(call) }
    }
    #expect(running == [1, 2, 3, 4], "nobody else had come")
    var shares: [Int] = []
    for second in 1...12 {
      let next = try #require(try queue.ended(running.removeFirst(), at: .at(Double(second))))
      running.append(next)
      shares.append(running.count { clients[$0] == anna })
    }
    #expect(shares.dropFirst(2).allSatisfy { $0 == 2 }, "\(shares)")
  }

  @Test("On one slot, its owner and the others take turns")
  func ownersTurn() throws {
    var queue = ServingQueue(slots: 1, owner: anna)
    for call in UInt64(1)...6 {
      _ = try queue.arrived(call, from: call <= 3 ? anna : Incarnation(), at: .at(0))
    }
    var (order, next) = ([UInt64](), UInt64?.some(1))
    while let call = next {
      order.append(call)
      next = try queue.ended(call, at: .at(Double(order.count)))
    }
    #expect(order == [1, 4, 2, 5, 3, 6])
  }

  @Test(
    "A scan that ignores cancelling loses its slot, and without slots no call waits")
  mutating func ignoresCancelling() throws {
    for call in 1...4 { _ = try queue.arrived(UInt64(call), from: anna, at: .at(0)) }
    #expect(try queue.ignoresCancelling(1) == [])
    #expect(queue.slotsLeft == 1)
    #expect(try queue.ignoresCancelling(1) == [], "each scan is counted once")
    #expect(throws: IllegalEvent.self, "call 3 does not run") { try queue.ignoresCancelling(3) }
    #expect(try queue.arrived(5, from: ben, at: .at(0)) == .wait)
    #expect(try queue.ignoresCancelling(2) == [3, 4, 5])
    #expect(queue.isExhausted && queue.waitingCount == 0)
    #expect(try queue.arrived(6, from: anna, at: .at(1)) == .refuse)
    #expect(try queue.ended(2, at: .at(2)) == nil)
    #expect(queue.slotsLeft == 1)
    #expect(try queue.arrived(7, from: anna, at: .at(2)) == .start)
    #expect(try queue.ended(1, at: .at(3)) == nil)
    #expect(queue.slotsLeft == 2)
  }

  @Test("The end of a call that does not run is refused with its story, and frees nothing")
  mutating func endsTwice() throws {
    for call in 1...4 { _ = try queue.arrived(UInt64(call), from: anna, at: .at(0)) }
    #expect(throws: IllegalEvent.self) { try queue.ended(99, at: .at(1)) }
    #expect(throws: IllegalEvent.self, "call 3 has not begun") { try queue.ended(3, at: .at(1)) }
    #expect(try queue.ended(1, at: .at(1)) == 3)
    let refused = #expect(throws: IllegalEvent.self) { try queue.ended(1, at: .at(1)) }
    #expect(refused?.event == "call 1 ends, but does not run")
    #expect(refused?.story == ["call 1: started", "call 1: ended"])
    #expect(queue.runningCount == 2)
  }

  @Test("A running call that arrives again is refused")
  mutating func comesTwice() throws {
    for call in 1...3 { _ = try queue.arrived(UInt64(call), from: anna, at: .at(0)) }
    #expect(throws: IllegalEvent.self) { try queue.arrived(1, from: ben, at: .at(0)) }
    #expect(queue.waitingCount == 1)
  }

  @Test("A client with few calls does not wait for all calls of another client")
  mutating func fairness() throws {
    for call in 1...10 { _ = try queue.arrived(UInt64(call), from: anna, at: .at(0)) }
    for call in 11...12 { _ = try queue.arrived(UInt64(call), from: ben, at: .at(0)) }
    #expect(try queue.ended(1, at: .at(1)) == 11)
    #expect(try queue.ended(11, at: .at(2)) == 12)
    #expect(try queue.ended(12, at: .at(3)) == 3)
  }

  @Test("Two busy clients get half of the slot time each")
  mutating func halfEach() throws {
    queue = ServingQueue(slots: 1)
    var clients: [UInt64: String] = [:]
    for call in UInt64(1)...40 {
      clients[call] = call <= 20 ? "anna" : "ben"
      _ = try queue.arrived(call, from: call <= 20 ? anna : ben, at: .at(0))
    }
    let served = try serve(clients, running: [1])
    #expect(served.prefix(20).count { $0 == "ben" } == 10)
    #expect(served.count == 39)
  }

  @Test("Slot time is shared and not calls, so short calls make up for long ones")
  mutating func slotTime() throws {
    queue = ServingQueue(slots: 1)
    for call in UInt64(1)...5 { _ = try queue.arrived(call, from: anna, at: .at(0)) }
    for call in UInt64(6)...15 { _ = try queue.arrived(call, from: ben, at: .at(0)) }
    // Anna's call takes five seconds, so five of ben's calls, of a second each, are due next.
    #expect(try queue.ended(1, at: .at(5)) == 6)
    for call in UInt64(6)...9 {
      #expect(try queue.ended(call, at: .at(Double(call))) == call + 1)
    }
  }

  @Test("Calls of equal clients are served in the order of arrival")
  mutating func equals() throws {
    queue = ServingQueue(slots: 1)
    _ = try queue.arrived(0, from: Incarnation(), at: .at(0))
    // No client has run anything, so only the order of the calls decides.
    for call in UInt64(1)...20 { _ = try queue.arrived(call, from: Incarnation(), at: .at(0)) }
    for call in UInt64(0)..<20 { #expect(try queue.ended(call, at: .at(0)) == call + 1) }
  }

  @Test("A client that was away has no claim on the time that others had, and no debt")
  mutating func newcomers() throws {
    queue = ServingQueue(slots: 1)
    for call in UInt64(1)...9 { _ = try queue.arrived(call, from: anna, at: .at(0)) }
    for call in UInt64(1)...4 { _ = try queue.ended(call, at: .at(Double(call) * 100)) }
    for call in UInt64(11)...14 { _ = try queue.arrived(call, from: ben, at: .at(400)) }
    // Ben does not catch up on 400 seconds: from now on the two take turns.
    #expect(try queue.ended(5, at: .at(401)) == 11)
    #expect(try queue.ended(11, at: .at(403)) == 6)
    #expect(try queue.ended(6, at: .at(405)) == 12)
  }

  @Test("A waiting call that is withdrawn never starts")
  mutating func withdraws() throws {
    for call in UInt64(1)...4 { _ = try queue.arrived(call, from: anna, at: .at(0)) }
    try queue.withdrew(3, of: anna)
    #expect(throws: IllegalEvent.self) { try queue.withdrew(3, of: anna) }
    #expect(throws: IllegalEvent.self, "call 1 runs") { try queue.withdrew(1, of: anna) }
    #expect(throws: IllegalEvent.self, "call 4 is not ben's") { try queue.withdrew(4, of: ben) }
    #expect(try queue.ended(1, at: .at(1)) == 4)
    #expect(queue.waitingCount == 0)
  }

  @Test("Draining hands back waiting calls, lets running ones finish, and refuses new ones")
  mutating func drains() throws {
    for call in UInt64(1)...3 { _ = try queue.arrived(call, from: anna, at: .at(0)) }
    _ = try queue.arrived(4, from: ben, at: .at(0))
    #expect(queue.drain() == [3, 4])
    #expect(queue.isDraining)
    #expect(queue.drain() == [])
    #expect(try queue.arrived(5, from: ben, at: .at(1)) == .refuse)
    #expect(try queue.ended(1, at: .at(1)) == nil)
    #expect(try queue.ended(2, at: .at(1)) == nil)
    #expect(queue.runningCount == 0)
  }

  @Test("A queue that drains as a client asked takes calls again when that is taken back")
  mutating func undrains() throws {
    for call in UInt64(1)...3 { _ = try queue.arrived(call, from: anna, at: .at(0)) }
    #expect(queue.drain(.asked(by: "ben")) == [3])
    #expect(queue.drain(.asked(by: "anna")) == [])
    #expect(queue.drainReason == .asked(by: "ben"), "the first client that asked is named")
    #expect(try queue.arrived(4, from: ben, at: .at(1)) == .refuse)
    #expect([queue.undrain(), queue.undrain()] == [true, false])
    #expect(try queue.arrived(5, from: ben, at: .at(2)) == .wait)
    #expect(try queue.ended(1, at: .at(3)) == 5)
  }

  @Test("A queue whose process is about to end never takes calls again")
  mutating func leaves() throws {
    _ = queue.drain(.asked(by: "ben"))
    _ = queue.drain()
    #expect(queue.drainReason == .leaving)
    _ = queue.drain(.asked(by: "ben"))
    #expect(queue.drainReason == .leaving)
    #expect([queue.undrain()] == [false])
    #expect(try queue.arrived(1, from: ben, at: .at(1)) == .refuse)
  }

  @Test("A client without calls is not remembered")
  mutating func forgets() throws {
    for number in UInt64(1)...1000 {
      let client = Incarnation()
      _ = try queue.arrived(number, from: client, at: .at(0))
      _ = try queue.ended(number, at: .at(1))
    }
    let clients = Mirror(reflecting: queue).children.first { $0.label == "clients" }
    #expect(clients.map { Mirror(reflecting: $0.value).children.count } == 0)
  }
}
