import Foundation
import SkyNetCore
import Testing

@testable import SkyNetCluster

@Suite("The decoding of a peer's result")
struct ScanResultTests {
  private static func decode(seconds: String, queued: String) throws -> ScanResult {
    let output = #"{"sum":1,"label":"none","reversed":{"offset":0,"count":0}}"#
    let body = #"{"kind":"sum\/2","output":\#(output),"seconds":\#(seconds),"queued":\#(queued)}"#
    return try BodyCoder(registry: ScanRegistry([SumScan()]))
      .decode(ScanResult.self, from: Message(.reply, body: Data(body.utf8)))
  }

  @Test(
    "A result with an impossible time cannot be decoded",
    arguments: [
      ("1e308", "0"), ("-1.5", "0"), ("0", "-1e308"), ("0", "1e10"), ("99999999999999999", "0"),
      ("0", "99999999999999999"), ("10000000000.5", "0"), ("1e999", "0"), ("nan", "0"),
      ("0x1p3", "0"),
      ("1.", "0"), ("1.e1", "0"), ("01", "0"), ("+1", "0"), (".5", "0"), ("null", "0"),
      ("\"1\"", "0"),
    ])
  func impossibleTimes(seconds: String, queued: String) {
    #expect(throws: Never.self) { try Self.decode(seconds: "0.5", queued: "0") }
    #expect(throws: DecodingError.self) { try Self.decode(seconds: seconds, queued: queued) }
  }
}
