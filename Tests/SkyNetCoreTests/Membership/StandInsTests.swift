import SkyNetCore
import Testing

@Suite("Nodes that stand in for a program's own system")
struct StandInsTests {
  private let a = Incarnation()
  private let b = Incarnation()

  @Test(
    "The first one has the program's own system yield, and the loss of the last one serve again")
  func firstAndLast() {
    var standIns = StandIns()
    #expect([standIns.joined(a), standIns.joined(a), standIns.joined(b)] == [.yields, nil, nil])
    #expect([standIns.left(a), standIns.left(a), standIns.left(b)] == [nil, nil, .serves])
    #expect([standIns.joined(a)] == [.yields])
  }

  @Test("The loss of another system changes nothing")
  func others() {
    var standIns = StandIns()
    #expect([standIns.left(b)] == [nil])
    _ = standIns.joined(a)
    #expect([standIns.left(b)] == [nil])
  }
}
