import Testing

@testable import SkyNetCore

@Suite("A table by numbers that are given out")
struct SlotMapTests {
  private var table = SlotMap<String>()
  private var numbers = SlotMapKeys()

  @Test("has what was put in until it is taken out, in the order of the numbers")
  mutating func holds() {
    let (first, second) = (numbers.next(), numbers.next())
    table[second] = "b"
    table[first] = "a"
    #expect(table.count == 2 && table.numbers == [first, second])
    table[first]?.append("!")
    #expect(table[first] == "a!")
    #expect(table.removeValue(forKey: first) == "a!")
    #expect(table.removeValue(forKey: first) == nil)
    numbers.free(first)
    let third = numbers.next()
    table[third] = "c"
    #expect(table.numbers == [second, third], "though the third is where the first was")
    table[second] = nil
    table[third] = nil
    #expect(table.isEmpty && table[second] == nil)
  }

  @Test("does not know a number whose place another one has now")
  mutating func reused() {
    let first = numbers.next()
    table[first] = "a"
    _ = table.removeValue(forKey: first)
    numbers.free(first)
    let second = numbers.next()
    #expect(SlotMapKeys.place(of: second) == SlotMapKeys.place(of: first) && second > first)
    table[second] = "b"
    #expect(table[first] == nil && table.removeValue(forKey: first) == nil)
    #expect(table[second] == "b")
  }
}
