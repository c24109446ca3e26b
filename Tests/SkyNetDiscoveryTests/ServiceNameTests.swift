import Testing

@testable import SkyNetDiscovery

@Suite("Names of instances") struct ServiceNameTests {
  @Test(
    "Valid names are accepted",
    arguments: ["a", "a #2", "node.one", "Zoë’s laptop", String(repeating: "x", count: 63)])
  func accepts(name: String) throws {
    try DNSSD.validate(name: name)
  }

  @Test(
    "Invalid names are refused",
    arguments: [
      "", "a\nb", "a\u{0}", "\u{7F}", "a\u{9B}2J", "a\u{202E}b", "\u{2066}a", "a\u{200F}",
      "a\u{61C}",
      String(repeating: "é", count: 32),
    ])
  func refuses(name: String) {
    #expect(throws: InvalidServiceName.self) { try DNSSD.validate(name: name) }
  }

  @Test("The error for a long name has the length and the limit")
  func tooLong() {
    let name = String(repeating: "x", count: 64)
    let error = #expect(throws: InvalidServiceName.self) { try DNSSD.validate(name: name) }
    #expect(
      error?.description
        == "the name “\(name)” is too long (64 bytes of UTF-8), at most 63 are allowed")
  }

  @Test(
    "A taken name has an alternative with the next number",
    arguments: [
      ("a", "a #2"), ("a #2", "a #3"), ("a #9", "a #10"), ("a#2", "a#2 #2"), ("#2", "#2 #2"),
      ("a #1", "a #1 #2"), ("a #-3", "a #-3 #2"), ("a #", "a # #2"), ("a #2b", "a #2b #2"),
      ("a #99999999999999999999", "a #99999999999999999999 #2"),
    ])
  func alternative(name: String, alternative: String) {
    #expect(ServiceName.alternative(to: name) == alternative)
  }

  @Test("Alternatives are valid names, and never repeat")
  func alternatives() throws {
    var name = String(repeating: "é", count: 31)
    var seen: Set<String> = []
    for _ in 0..<200 {
      name = ServiceName.alternative(to: name)
      try ServiceName.validate(name)
      #expect(seen.insert(name).inserted)
    }
    #expect(name.hasPrefix("éé"))
  }
}
