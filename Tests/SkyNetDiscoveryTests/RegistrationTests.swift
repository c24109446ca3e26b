import SkyNetCluster
import Testing

@testable import SkyNetDiscovery

@Suite("Keeping a node registered") struct RegistrationTests {
  private var registration = Registration(name: "a")

  @Test("The registered name is reported once")
  mutating func nameOnce() {
    #expect(
      registration.handle(.registered(name: "a #2")) == [.emit(.registered(name: "a #2"))])
    #expect(registration.handle(.registered(name: "a #2")) == [])
  }

  @Test("A later change of name is reported")
  mutating func renamed() {
    _ = registration.handle(.registered(name: "a"))
    #expect(
      registration.handle(.registered(name: "a #2")) == [.emit(.registered(name: "a #2"))])
  }

  @Test("A taken name is followed by the next one")
  mutating func nameTaken() {
    #expect(registration.handle(.nameTaken) == [.register(name: "a #2", after: .zero)])
    #expect(registration.handle(.nameTaken) == [.register(name: "a #3", after: .zero)])
  }

  @Test("A failure is reported once, and retried at growing intervals")
  mutating func failure() {
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

  @Test("After a failure the preferred name is tried first")
  mutating func preferredName() {
    _ = registration.handle(.nameTaken)
    _ = registration.handle(.registered(name: "a #2"))
    #expect(
      registration.handle(.failed(reason: "gone")).last
        == .register(name: "a", after: .milliseconds(500)))
  }
}
