import Foundation
import Testing

@testable import SkyNetCore

@Suite("Endpoints as text")
struct EndpointTests {
  @Test(
    "An endpoint that is read is written the same",
    arguments: ["orion:4040", "10.0.0.7:1", "[fe80::1%eth0]:65535", "[::1]:80", "h.local:4040"])
  func roundTrip(text: String) throws {
    let endpoint = try #require(Endpoint(text))
    #expect(endpoint.description == text)
  }

  @Test("An endpoint has a host and a port")
  func parts() {
    #expect(Endpoint("orion:4040") == Endpoint(host: "orion", port: 4040))
    #expect(Endpoint("[::1]:80") == Endpoint(host: "::1", port: 80))
  }

  @Test(
    "Text without a host, without a port, or with a port out of range is refused",
    arguments: [
      "", ":", "orion", "orion:", ":4040", "[]:4040", "orion:0", "orion:65536", "orion:-1",
      "orion:x", "orion:80 ", "::1:80", "fe80::1", "orion:99999999999999999999",
      "[[orion]]:80", "[::1]]:80", "orion]:80",
    ])
  func refused(text: String) {
    #expect(Endpoint(text) == nil)
  }
}

@Suite("Incarnations as text")
struct IncarnationTests {
  @Test("An incarnation that is written is read the same")
  func roundTrip() throws {
    let incarnation = Incarnation()
    #expect(Incarnation(incarnation.description) == incarnation)
    let json = try JSONEncoder().encode([incarnation])
    #expect(try JSONDecoder().decode([Incarnation].self, from: json) == [incarnation])
  }

  @Test("Two new incarnations differ")
  func unique() {
    #expect(Incarnation() != Incarnation())
  }

  @Test("Text that is not a UUID is refused", arguments: ["", "orion", "123e4567-e89b-12d3-a456"])
  func refused(text: String) {
    #expect(Incarnation(text) == nil)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Incarnation].self, from: JSONEncoder().encode([text]))
    }
  }
}
