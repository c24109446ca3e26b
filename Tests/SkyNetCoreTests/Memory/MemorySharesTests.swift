import Synchronization
import Testing

@testable import SkyNetCore

@Suite("Sharing memory among peers")
struct MemorySharesTests {
  var shares = MemoryShares(limit: 100)

  private mutating func turns(
    _ holdings: (unfinished: Int, whole: Int)...
  ) -> [MemoryShares.AccountID: MemoryShares.Turn] {
    shares.turns(
      of: holdings.enumerated().map {
        MemoryShares.Holding(
          id: $0.offset, unfinished: $0.element.unfinished, whole: $0.element.whole)
      })
  }

  @Test("While everything fits, all peers are read from, however unequal their shares")
  mutating func fits() {
    #expect(turns((90, 5), (0, 5), (0, 0)) == [:])
  }

  @Test("A peer with more than an equal share waits while its calls run, and other peers go on")
  mutating func shared() {
    #expect(turns((0, 90), (10, 10)) == [0: .waits])
    #expect(turns((0, 80), (10, 10)) == [:])
  }

  @Test("If only parts of messages are held, one peer goes on until its messages are whole")
  mutating func favoured() {
    #expect(turns((60, 0), (55, 0)) == [0: .isFavoured, 1: .waits])
    #expect(shares.othersWait)
    #expect(turns((90, 0), (55, 0)) == [0: .isFavoured, 1: .waits])
    // The messages are whole now, so their calls will be answered.
    #expect(turns((0, 95), (55, 0)) == [0: .waits, 1: .waits])
    #expect(!shares.othersWait)
    #expect(turns((0, 20), (55, 0)) == [:])
  }

  @Test("The peer that has waited longest is favoured next, and an idle peer never is")
  mutating func order() {
    #expect(turns((10, 0), (60, 0), (60, 0)) == [1: .isFavoured, 2: .waits])
    #expect(turns((60, 0), (60, 0), (60, 0)) == [1: .isFavoured, 2: .waits, 0: .waits])
    #expect(turns((60, 0), (0, 0), (60, 0)) == [2: .isFavoured, 0: .waits])
  }

  @Test("A call without bytes that runs for ever does not keep other peers waiting")
  mutating func tinyCall() {
    #expect(turns((60, 1), (60, 1)) == [0: .isFavoured, 1: .waits])
  }

  @Test(
    "A peer with more under way than any peer needs is not favoured, but waits for its calls")
  mutating func tooMuchAlone() {
    shares = MemoryShares(limit: 100, peerLimit: 100)
    #expect(turns((0, 100)) == [:])
    #expect(turns((1, 100)) == [0: .waits])
    #expect(turns((40, 90)) == [0: .waits])
    #expect(turns((40, 60)) == [:])
    // The same holds beside another peer, which makes progress.
    #expect(turns((70, 40), (60, 0)) == [0: .waits, 1: .isFavoured])
  }

  @Test("Bytes held for departed peers reduce the shares of the others")
  mutating func gone() {
    let two = [(0, 60), (60, 0)].enumerated().map {
      MemoryShares.Holding(id: $0.offset, unfinished: $0.element.0, whole: $0.element.1)
    }
    #expect(shares.turns(of: [two[0]], besides: 30) == [:])
    #expect(shares.turns(of: [two[0]], besides: 50) == [0: .waits])
    #expect(shares.turns(of: [two[1]], besides: 200) == [1: .isFavoured])
  }

  @Test("A closed connection gives back the bytes of its messages")
  func budget() {
    let budget = MemoryBudget(limit: 100)
    let changes = Counter()
    let one = budget.account { changes.add() }
    let other = budget.account { changes.add() }
    one.changeUnfinished(by: 60)
    #expect(one.turn == .goesOn && changes.count == 0)
    other.changeUnfinished(by: 60)
    #expect(one.turn == .isFavoured && other.turn == .waits && changes.count == 2)
    #expect(one.holdsUpOthers)
    one.close()
    #expect(other.turn == .goesOn && changes.count == 3)
    #expect(budget.heldBytes == 60)
    other.changeUnfinished(by: -60)
    other.changeWhole(by: 60)
    other.close()
    #expect(budget.heldBytes == 60)
    other.changeWhole(by: -60)
    #expect(budget.heldBytes == 0)
  }
}

private final class Counter: Sendable {
  private let number = Atomic<Int>(0)

  var count: Int { number.load(ordering: .relaxed) }

  func add() { number.add(1, ordering: .relaxed) }
}
