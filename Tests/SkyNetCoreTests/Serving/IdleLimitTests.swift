import Testing

@testable import SkyNetCore

@Suite("How long a system may be idle")
struct IdleLimitTests {
  private var limit = IdleLimit(.seconds(60))

  @Test("It leaves when it has been idle for so long, and not while it scans")
  mutating func idle() {
    #expect(limit.end(idleSince: .at(5), isKept: false, at: .at(6)) == .at(65))
    #expect(limit.end(idleSince: nil, isKept: false, at: .at(7)) == nil)
    #expect(limit.end(idleSince: .at(8), isKept: false, at: .at(9)) == .at(68))
  }

  @Test("It stays while it is drained or relays, and the whole time passes again after that")
  mutating func kept() {
    #expect(limit.end(idleSince: .at(0), isKept: true, at: .at(100)) == nil)
    #expect(limit.end(idleSince: .at(0), isKept: true, at: .at(200)) == nil)
    #expect(limit.end(idleSince: .at(0), isKept: false, at: .at(201)) == .at(260))
  }
}
