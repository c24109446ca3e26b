import Testing

@testable import SkyNetCore

@Suite("The table of attempts in flight")
struct FlightTableTests {
  private var table = FlightTable()
  private var numbers = Numbers()

  private mutating func flight(
    pass: Int = 0, ordinal: Int = 1, rival: Attempt.ID? = nil, start: Instant? = nil
  ) -> Engagement.Flight {
    let slot = Slot(number: 7, system: Incarnation(), name: "b")
    let attempt = Attempt(
      id: numbers.next(), task: TaskID(pass: pass, sector: 5), slot: slot, ordinal: ordinal,
      isHedge: false)
    return Engagement.Flight(
      attempt: attempt, rival: rival, start: start, isWatched: start != nil, hasStory: ordinal > 1)
  }

  private func expect(
    _ found: Engagement.Flight?, like flight: Engagement.Flight,
    at location: SourceLocation = #_sourceLocation
  ) {
    #expect(found?.attempt == flight.attempt, sourceLocation: location)
    #expect(found?.rival == flight.rival, sourceLocation: location)
    #expect(found?.start == flight.start, sourceLocation: location)
    #expect(found?.isWatched == flight.isWatched, sourceLocation: location)
    #expect(found?.hasStory == flight.hasStory, sourceLocation: location)
  }

  @Test("What was put in comes out, also what few attempts have")
  mutating func roundTrip() {
    let flights = [
      flight(), flight(pass: 255, ordinal: 255), flight(pass: 256), flight(ordinal: 256),
      flight(pass: -1, ordinal: 100_000), flight(rival: 9),
      flight(start: Instant(sinceOrigin: .seconds(3))),
    ]
    for flight in flights { table[flight.attempt.id] = flight }
    #expect(table.ids == flights.map(\.attempt.id))
    for flight in flights { expect(table[flight.attempt.id], like: flight) }
    for flight in flights { expect(table.remove(flight.attempt.id), like: flight) }
    #expect(table.isEmpty)
  }

  @Test("A change replaces what was there")
  mutating func changes() {
    var flight = flight(rival: 9)
    let id = flight.attempt.id
    table[id] = flight
    table[id]?.rival = nil
    flight.rival = nil
    expect(table[id], like: flight)
    table[id]?.start = Instant()
    flight.start = Instant()
    expect(table[id], like: flight)
    table[id] = nil
    #expect(table[id] == nil && table.isEmpty)
  }

  @Test("A number that was used before is no longer known")
  mutating func reused() {
    let first = flight()
    table[first.attempt.id] = first
    _ = table.remove(first.attempt.id)
    numbers.free(first.attempt.id)
    let second = flight()
    table[second.attempt.id] = second
    #expect(table[first.attempt.id] == nil)
    #expect(table.remove(first.attempt.id) == nil)
    expect(table[second.attempt.id], like: second)
  }
}
