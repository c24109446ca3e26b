import SkyNetCluster
import Testing

@testable import SkyNetDiscovery

@Suite struct RegistrationTests {
  private var registration = Registration(name: "a")

  @Test mutating func tellsTheTrueNameOnce() {
    #expect(
      registration.handle(.registered(name: "a #2")) == [.emit(.registered(name: "a #2"))])
    #expect(registration.handle(.registered(name: "a #2")) == [])
  }

  @Test mutating func tellsWhenItIsRenamedLater() {
    _ = registration.handle(.registered(name: "a"))
    #expect(
      registration.handle(.registered(name: "a #2")) == [.emit(.registered(name: "a #2"))])
  }

  @Test mutating func triesTheNextNameWhenOneIsTaken() {
    #expect(registration.handle(.nameTaken) == [.register(name: "a #2", after: .zero)])
    #expect(registration.handle(.nameTaken) == [.register(name: "a #3", after: .zero)])
  }

  @Test mutating func saysOnceThatItIsUnavailableAndTriesAgainMoreSlowly() {
    #expect(
      registration.handle(.failed(reason: "gone")) == [
        .emit(.unavailable(reason: "gone")), .register(name: "a", after: .milliseconds(500)),
      ])
    #expect(
      registration.handle(.failed(reason: "gone")) == [.register(name: "a", after: .seconds(1))])
    #expect(registration.handle(.registered(name: "a")) == [.emit(.registered(name: "a"))])
    #expect(
      registration.handle(.failed(reason: "again")) == [
        .emit(.unavailable(reason: "again")), .register(name: "a", after: .milliseconds(500)),
      ])
  }

  @Test mutating func asksForItsOwnNameAfterAFailure() {
    _ = registration.handle(.nameTaken)
    _ = registration.handle(.registered(name: "a #2"))
    #expect(
      registration.handle(.failed(reason: "gone")).last
        == .register(name: "a", after: .milliseconds(500)))
  }
}
