import Testing

@testable import SkyNetCore

@Suite("The room that a peer has for calls")
struct CallRoomTests {
  var room = CallRoom(limit: 1000)

  private mutating func wants(_ id: CallRoom.CallID) -> Bool { room.wanted(id) }

  /// Makes a call whose bytes are sent already.
  private mutating func made(_ id: CallRoom.CallID, _ bytes: Int) -> Bool {
    room.made(id, bytes: bytes, isUnsent: false).hasRoom
  }

  @Test("Calls are sent until the peer's room is full, and then as earlier calls are answered")
  mutating func full() {
    for id in 1...5 as ClosedRange<UInt64> {
      #expect(wants(id))
      #expect(made(id, 200))
    }
    #expect(!wants(6))
    #expect(!wants(7))
    #expect(room.ended(3) == [6])
    #expect(room.ended(3) == [])
    #expect(room.ended(5) == [7])
  }

  @Test("While the size of calls is unknown, only a few are made")
  mutating func unknownSizes() {
    let early = (1...64 as ClosedRange<UInt64>).filter { wants($0) }
    #expect(early == Array(1...8))
    // The first call shows that calls are small. The sizes of the other seven are unknown yet.
    let answer = room.made(1, bytes: 10, isUnsent: false)
    #expect(answer.hasRoom && answer.others.count == 11)
  }

  @Test("Calls that turn out larger than expected wait fully made, and go before other calls")
  mutating func larger() {
    #expect(wants(1) && wants(2) && wants(3))
    #expect(made(1, 600))
    #expect(!made(2, 600))
    #expect(!made(3, 100))
    #expect(!wants(4))
    #expect(room.ended(1) == [2, 3])
    #expect(room.ended(2) == [4])
  }

  @Test("A call that is larger than the room is sent alone")
  mutating func alone() {
    #expect(wants(1) && wants(2))
    #expect(!made(1, 5000))
    #expect(room.ended(2) == [1])
    #expect(!wants(3))
    #expect(room.ended(1) == [3])
  }

  @Test("A call that is cancelled while it waits gets no room, wherever it waits")
  mutating func cancelled() {
    #expect(wants(1) && wants(2))
    #expect(made(1, 800))
    #expect(!made(2, 800))
    #expect(!wants(3))
    #expect(room.ended(2) == [] && room.ended(3) == [])
    #expect(room.ended(1) == [])
    #expect(wants(4))
  }

  @Test("No call is made while many bytes wait to be sent")
  mutating func unsent() {
    room = CallRoom(limit: 1 << 30)
    let sector = 40 << 20
    #expect(wants(1))
    #expect(room.made(1, bytes: sector).hasRoom)
    #expect(wants(2))
    #expect(room.made(2, bytes: sector).hasRoom)
    #expect(!wants(3))
    #expect(room.sent(1) == [3])
    #expect(room.sent(1) == [])
  }

  @Test("No more calls are under way than fit, in any order of events")
  func never() {
    var random = SplitMix64(seed: 16)
    for _ in 0..<200 {
      let limit = Int.random(in: 100...2000, using: &random)
      var room = CallRoom(limit: limit)
      // The calls that have room, with their sizes; 0 until a call is made.
      var going: [UInt64: Int] = [:]
      var sizes: [UInt64: Int] = [:]
      var waiting: Set<UInt64> = []
      func take(_ ids: [UInt64]) {
        for id in ids {
          #expect(waiting.remove(id) != nil)
          going[id] = sizes[id] ?? 0
        }
      }
      for id in 1...200 as ClosedRange<UInt64> {
        waiting.insert(id)
        if room.wanted(id) { take([id]) }
        if let unmade = going.keys.filter({ sizes[$0] == nil }).min(), Bool.random(using: &random) {
          let size = Int.random(in: 0...700, using: &random)
          sizes[unmade] = size
          going[unmade] = nil
          waiting.insert(unmade)
          let answer = room.made(unmade, bytes: size, isUnsent: false)
          take((answer.hasRoom ? [unmade] : []) + answer.others)
        }
        if let old = going.keys.filter({ sizes[$0] != nil }).min(), Bool.random(using: &random) {
          going[old] = nil
          take(room.ended(old))
        }
        let total = going.values.reduce(0, +)
        #expect(total <= limit || going.count == 1)
      }
      // Every call gets room in the end.
      while let next = going.keys.min() {
        going[next] = nil
        take(room.ended(next))
      }
      #expect(waiting.isEmpty)
    }
  }
}
