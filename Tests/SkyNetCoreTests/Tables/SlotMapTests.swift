import Testing

@testable import SkyNetCore

@Suite("The slot map")
struct SlotMapTests {
  private var map = SlotMap<String>()
  private var keys = SlotMapKeys()

  @Test("A slot map holds each value until it is removed, in the order of the keys")
  mutating func holds() {
    let (first, second) = (keys.makeKey(), keys.makeKey())
    map[second] = "b"
    map[first] = "a"
    #expect(map.count == 2 && map.keys == [first, second])
    map[first]?.append("!")
    #expect(map[first] == "a!")
    #expect(map.removeValue(forKey: first) == "a!")
    #expect(map.removeValue(forKey: first) == nil)
    keys.free(first)
    let third = keys.makeKey()
    map[third] = "c"
    #expect(map.keys == [second, third], "although the third key has the index of the first")
    map[second] = nil
    map[third] = nil
    #expect(map.isEmpty && map[second] == nil)
  }

  @Test("A slot map does not know a freed key whose index has been reused")
  mutating func reused() {
    let first = keys.makeKey()
    map[first] = "a"
    _ = map.removeValue(forKey: first)
    keys.free(first)
    let second = keys.makeKey()
    #expect(SlotMapKeys.index(of: second) == SlotMapKeys.index(of: first) && second > first)
    map[second] = "b"
    #expect(map[first] == nil && map.removeValue(forKey: first) == nil)
    #expect(map[second] == "b")
  }
}
