import SkyNetCluster
import SkyNetCore
import SkyNetDiscovery

/// Checks that a TXT record of any bytes can be read, and that the recognized values survive being
/// advertised.
func checkTXTRecord(_ input: [UInt8]) throws {
  let record = TXTRecord(bytes: input)
  let counted = record.strings.reduce(0) { $0 + $1.count + 1 }
  try expect(counted <= input.count, "strings are within the record")
  _ = record["a"]
  guard let incarnation = record.incarnation, let slots = record.slots,
    let version = record.protocolVersion
  else { return }
  // A TXT record is written only with fingerprints of SkyNet's own length.
  let fingerprints = record.fingerprints.filter { $0.utf8.count == 16 }
  let again = TXTRecord(
    Advertisement(
      name: "a", port: 1, slots: slots, incarnation: incarnation, protocolVersion: version,
      fingerprints: fingerprints))
  try expect(again.bytes.count <= TXTRecord.maximumBytes, "a record is small")
  try expectEqual(again.incarnation, incarnation, "the incarnation read again")
  try expectEqual(again.slots, slots, "the slots read again")
  try expectEqual(again.protocolVersion, version, "the version read again")
  try expectEqual(again.fingerprints, fingerprints, "the fingerprints read again")
}

/// Checks that a parsed text is the same after being written and parsed again.
func checkNames(_ input: [UInt8]) throws {
  let text = String(decoding: input, as: UTF8.self)
  if let endpoint = Endpoint(text) {
    try expectEqual(Endpoint(endpoint.description), endpoint, "an endpoint read again")
  }
  if let kind = ScanKind(text) {
    try expectEqual(ScanKind(kind.description), kind, "a kind of scan read again")
  }
  if let incarnation = Incarnation(text) {
    try expectEqual(Incarnation(incarnation.description), incarnation, "an incarnation read again")
  }
  guard (try? DNSSD.validate(name: text)) != nil else { return }
  let other = ServiceName.alternative(to: text)
  try expect((try? DNSSD.validate(name: other)) != nil, "an alternative name is valid: \(other)")
  try expect(other != text, "an alternative name differs: \(other)")
}
