import Testing

@testable import SkyNetCore

@Suite("Places where systems die young")
struct PlacesTests {
  private let place = Place(name: "orion", host: "10.0.0.1")
  private var places = Places()

  /// Lets a system live and end at a place. Returns how long it was paused.
  @discardableResult private mutating func live(
    _ id: Incarnation = Incarnation(), from start: Double, for seconds: Double, completing: Int = 0,
    losing: Int = 8, at other: Place? = nil
  ) -> Duration? {
    var life = places.joined(id, at: other ?? place, .at(start))
    let pause = life.pauseEnd.map { life.start.duration(to: $0) }
    life.completed = completing
    life.lost = losing
    life.end = .at(start + seconds)
    places.left(life, at: other ?? place, .at(start + seconds))
    return pause
  }

  @Test("Each incarnation that dies young lengthens the pause of the next")
  mutating func pauses() {
    var pauses: [Duration?] = []
    for number in 0..<6 {
      pauses.append(live(from: 2.2 * Double(number), for: 2))
    }
    #expect(pauses == [nil, .seconds(4), .seconds(4), .seconds(4), .seconds(8), .seconds(16)])
  }

  @Test("The longest life decides the next pause, within bounds that double with each death")
  mutating func bounds() {
    live(from: 0, for: 14)
    #expect(live(from: 20, for: 100) == .seconds(28))
    #expect(live(from: 150, for: 1000) == .seconds(60))
    #expect(live(from: 2000, for: 1) == .seconds(120))
    var pauses: [Duration?] = []
    for number in 0..<3 { pauses.append(live(from: 2010 + Double(number), for: 0.5)) }
    #expect(pauses == [.seconds(240), .seconds(480), .seconds(600)])
  }

  @Test("An incarnation that completes more than is lost with it clears its place")
  mutating func cleared() {
    live(from: 0, for: 2)
    #expect(live(from: 3, for: 20, completing: 9) == .seconds(4))
    #expect(live(from: 30, for: 2, completing: 8) == nil)
    #expect(
      live(from: 33, for: 2) == .seconds(4), "completing only as much as is lost is not enough")
  }

  @Test("An incarnation that lived long without work clears its place, unless it was paused")
  mutating func withoutWork() {
    live(from: 0, for: 30, losing: 3)
    #expect(live(from: 31, for: 20, losing: 0) == .seconds(30))
    #expect(
      live(from: 60, for: 100, losing: 0) == .seconds(60),
      "the last one died before its pause ended")
    #expect(live(from: 300, for: 1, losing: 0) == nil)
  }

  @Test("An incarnation that comes back was cut off: nothing died, and its pause goes on")
  mutating func cutOff() {
    let id = Incarnation()
    for second in 0..<5 { #expect(live(id, from: Double(second), for: 1) == nil) }
    live(from: 6, for: 1)
    let paused = Incarnation()
    let pause = live(paused, from: 8, for: 1, losing: 0)
    #expect(pause == .seconds(10), "the first one lived from 0 to 5")
    let life = places.joined(paused, at: place, .at(9.5))
    #expect(life.start == .at(8))
    #expect(life.pauseEnd == .at(18))
    #expect(places.killed(by: place).isEmpty)
  }

  @Test("Another host under the same name, or another name on the same host, is another place")
  mutating func others() {
    live(from: 0, for: 2)
    #expect(live(from: 3, for: 2, at: Place(name: "orion", host: "10.0.0.2")) == nil)
    #expect(live(from: 3, for: 2, at: Place(name: "vega", host: "10.0.0.1")) == nil)
    #expect(live(from: 3, for: 2) == .seconds(4))
  }

  @Test("A death while nothing ran is blamed on the place, and so are the deaths before it")
  mutating func killed() {
    let (useful, first, second, idle) = (
      Incarnation(), Incarnation(), Incarnation(), Incarnation()
    )
    live(useful, from: 0, for: 100, completing: 90)
    live(first, from: 101, for: 2)
    live(second, from: 104, for: 2)
    live(idle, from: 107, for: 2, losing: 0)
    #expect(places.killed(by: place).isEmpty, "the idle incarnation may come back")
    live(from: 110, for: 2)
    #expect(places.killed(by: place) == [first, second, idle])
    live(from: 113, for: 90, completing: 50)
    #expect(
      places.killed(by: place) == [first, second, idle],
      "the last one ran something, which may have killed it")
    live(from: 213, for: 1)
    #expect(places.killed(by: place).isEmpty, "the place has been of use since")
  }

  @Test("The oldest places and incarnations are forgotten first")
  mutating func forgets() {
    live(from: 0, for: 0.5)
    for number in 1...Places.limit {
      live(
        from: Double(number), for: 0.5, at: Place(name: "\(number)", host: "10.0.0.1"))
    }
    #expect(live(from: 2000, for: 1) == nil, "forgotten")
    let latest = Place(name: "\(Places.limit)", host: "10.0.0.1")
    #expect(live(from: 2000, for: 1, at: latest) == .seconds(1))
    for number in 0..<100 {
      live(from: 3000 + Double(number), for: 0.5, losing: 0)
    }
    #expect(places.killed(by: place).count == Places.incarnationLimit)
    #expect(places.former(at: place).count == Places.incarnationLimit)
  }
}
