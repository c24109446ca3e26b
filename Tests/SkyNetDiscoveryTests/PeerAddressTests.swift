import Testing

@testable import SkyNetDiscovery

@Suite("Addresses of peers") struct PeerAddressTests {
  private static func address(_ bytes: [UInt8], on interface: String? = "eth0") throws
    -> PeerAddress
  {
    try #require(PeerAddress(bytes: bytes, interfaceName: interface))
  }

  private static func ipv6(_ head: [UInt8], last: UInt8 = 1) -> [UInt8] {
    head + [UInt8](repeating: 0, count: 15 - head.count) + [last]
  }

  @Test("An address is written as a host")
  func host() throws {
    #expect(try Self.address([192, 0, 2, 1]).host == "192.0.2.1")
    #expect(try Self.address(Self.ipv6([0x20, 0x01, 0x0D, 0xB8])).host == "2001:db8::1")
  }

  @Test("A link-local IPv6 address carries its interface")
  func linkLocal() throws {
    let bytes = Self.ipv6([0xFE, 0x80])
    #expect(try Self.address(bytes).host == "fe80::1%eth0")
    #expect(PeerAddress(bytes: bytes, interfaceName: nil) == nil)
    #expect(try Self.address([169, 254, 0, 1]).host == "169.254.0.1")
  }

  @Test("Other addresses are the same on every interface")
  func otherAddresses() throws {
    let bytes: [UInt8] = [192, 0, 2, 1]
    #expect(try Self.address(bytes, on: "eth0") == Self.address(bytes, on: "wlan0"))
    let linkLocal = Self.ipv6([0xFE, 0x80])
    #expect(try Self.address(linkLocal, on: "eth0") != Self.address(linkLocal, on: "wlan0"))
  }

  @Test("Only 4 or 16 bytes are an address", arguments: [0, 3, 5, 15, 17])
  func lengths(count: Int) {
    #expect(PeerAddress(bytes: [UInt8](repeating: 1, count: count), interfaceName: "eth0") == nil)
  }

  @Test("Addresses are sorted by how well they can be reached")
  func order() throws {
    let inOrder = [
      try Self.address([10, 0, 0, 1]),
      try Self.address([192, 0, 2, 1]),
      try Self.address([169, 254, 0, 1]),
      try Self.address(Self.ipv6([0x20, 0x01], last: 1)),
      try Self.address(Self.ipv6([0x20, 0x01], last: 2)),
      try Self.address(Self.ipv6([0xFE, 0x80]), on: "eth0"),
      try Self.address(Self.ipv6([0xFE, 0x80]), on: "eth1"),
    ]
    #expect(Array(inOrder.reversed()).sorted() == inOrder)
  }
}
