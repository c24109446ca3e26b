import SkyNetCore
import Testing

@Suite("Nodes that stand in for a program's own system")
struct StandInsTests {
  private let a = Incarnation()
  private let b = Incarnation()

  @Test(
    "The first one has the program's own system yield, the next one in its place too, and the loss of the last one serve"
  )
  func firstAndLast() {
    var standIns = StandIns()
    #expect([standIns.joined(a), standIns.joined(a), standIns.joined(b)] == [.yields, nil, nil])
    #expect([standIns.left(a), standIns.left(a), standIns.left(b)] == [.yields, nil, .serves])
    #expect(standIns.active == nil)
    #expect([standIns.joined(a)] == [.yields])
  }

  @Test("The loss of another system changes nothing")
  func others() {
    var standIns = StandIns()
    #expect([standIns.left(b)] == [nil])
    _ = standIns.joined(a)
    #expect([standIns.left(b)] == [nil])
  }

  @Test("A stand-in that is unwell counts as none until it is well again")
  func unwell() {
    var standIns = StandIns()
    _ = standIns.joined(a)
    #expect([standIns.setUnwell([a, b]), standIns.setUnwell([a])] == [.serves, nil])
    #expect(standIns.active == nil)
    #expect([standIns.setUnwell([]), standIns.setUnwell([])] == [.yields, nil])
    #expect(standIns.active == a)
  }

  @Test("A stand-in that is unwell when it joins does not stand in, and another one does")
  func unwellFromTheBeginning() {
    var standIns = StandIns()
    #expect([standIns.setUnwell([a]), standIns.joined(a)] == [nil, nil])
    #expect([standIns.joined(b), standIns.left(a)] == [.yields, nil])
    #expect(standIns.active == b)
    #expect([standIns.left(b)] == [.serves])
  }
}
