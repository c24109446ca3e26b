import Testing

@testable import SkyScan

@Suite("Whether pixels are packed")
struct PackingChoiceTests {
  /// A network of this many bytes a second, to which sectors of 1 MB are sent, eight ahead. A packed one
  /// has this part of the bytes, and took 1 ms to pack.
  private struct Network {
    var choice = PackingChoice()
    private var underWay: [(begin: Double, bytes: Int)] = []
    private var now = 0.0

    /// Sends sectors, and returns how many were packed.
    mutating func send(_ count: Int, at rate: Double, packedTo part: Double) -> Int {
      (0..<count).reduce(0) { sum, _ in
        let isPacked = choice.next()
        let bytes = isPacked ? Int(1e6 * part) : 1_000_000
        if isPacked { choice.packed(1_000_000, into: bytes, in: 0.001) }
        underWay.append((now, bytes))
        if underWay.count == 8 {
          let first = underWay.removeFirst()
          now = max(now, first.begin) + Double(first.bytes) / rate
          choice.arrived(first.bytes, from: first.begin, to: now)
        }
        return sum + (isPacked ? 1 : 0)
      }
    }
  }

  @Test("On a slow network pixels are packed once something has arrived, on a fast one never")
  func rates() {
    var slow = Network()
    #expect(slow.send(100, at: 1e8, packedTo: 0.4) == 92)
    var fast = Network()
    #expect(fast.send(100, at: 1e9, packedTo: 0.4) == 0)
  }

  @Test("Pixels that hardly become smaller are not packed, but tried from time to time")
  func noise() {
    var network = Network()
    #expect((2...12).contains(network.send(200, at: 1e8, packedTo: 0.97)))
    #expect(network.send(300, at: 1e8, packedTo: 0.3) > 150, "the images are others now")
  }

  @Test("A network that becomes slow is noticed")
  func change() {
    var network = Network()
    #expect(network.send(100, at: 1e9, packedTo: 0.4) == 0)
    _ = network.send(30, at: 1e8, packedTo: 0.4)
    #expect(network.send(100, at: 1e8, packedTo: 0.4) == 100)
  }
}
