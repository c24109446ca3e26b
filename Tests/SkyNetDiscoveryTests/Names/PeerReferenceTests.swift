import SkyNetCore
import SkyNetDiscovery
import Testing

@Suite("Peers named by hand")
struct PeerReferenceTests {
  @Test(
    "A host and a port are an endpoint", arguments: ["a:1", "10.0.0.5:7777", "[fd00::1]:65535"])
  func endpoints(text: String) throws {
    #expect(try PeerReference(text) == .endpoint(#require(Endpoint(text))))
    #expect(try PeerReference(text).description == text)
  }

  @Test(
    "A name of two labels that begin with underscores is a service",
    arguments: ["_skynet._tcp", "_skynet._tcp.scan.example", "_a._tcp.service.consul."])
  func services(text: String) throws {
    #expect(try PeerReference(text) == .service(text))
    #expect(try PeerReference(text).description == text)
  }

  @Test("A host may begin with an underscore")
  func underscore() throws {
    #expect(try PeerReference("_a:1") == .endpoint(Endpoint(host: "_a", port: 1)))
  }

  @Test("What names no peer is refused with what would be right")
  func faults() {
    func fault(_ text: String) -> String? {
      do throws(PeerReference.Fault) {
        _ = try PeerReference(text)
        return nil
      } catch {
        return error.description
      }
    }
    #expect(
      fault("host") == "\"host\" is not host:port with a port from 1 to 65535, such as "
        + "192.168.1.5:7777, nor the name of a service, such as _skynet._tcp.scan.example")
    #expect(
      fault("_a._tcp.x:7777") == "\"_a._tcp.x:7777\" is the name of a service, whose records have "
        + "the ports: leave out the port")
    for text in ["_a._tcp..x", "_a._tcp.b c", "_a._tcp." + String(repeating: "x", count: 64)] {
      #expect(fault(text) == "\"\(text)\" is not a name that a DNS server can have")
    }
    for text in ["", ":1", "a:0", "a:65536", "::1:7"] { #expect(fault(text) != nil) }
  }

  @Test("An address is literal, with a zone too, and a name is not")
  func literals() {
    func isLiteral(_ host: String) -> Bool { Endpoint(host: host, port: 1).hasLiteralHost }
    for host in ["10.0.0.5", "::1", "fd00::1", "fe80::1%eth0"] { #expect(isLiteral(host)) }
    for host in ["a", "10.0.0", "10.0.0.5.", "fe80::1%", "%eth0", "localhost"] {
      #expect(!isLiteral(host))
    }
  }
}
