import SkyNetCore
import Testing

@Suite("Trust in scans that call themselves brief")
struct BriefTrustTests {
  @Test("forgives a hiccup now and then, and is gone once when they took a second together")
  func hiccups() {
    var trust = BriefTrust()
    for _ in 1...100 {
      let isLast = trust.took(.milliseconds(900))
      #expect(!isLast)
      for _ in 1...1000 { _ = trust.took(.microseconds(2)) }
    }
    #expect(!trust.isGone)
    let said = (1...13).map { _ in trust.took(.milliseconds(90)) }
    #expect(said == [Bool](repeating: false, count: 11) + [true, false])
    #expect(trust.isGone)
  }
}
