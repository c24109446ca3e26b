package import SkyNetCluster
package import SkyNetCore

/// The data of a TXT record: strings of up to 255 bytes, each preceded by its length, most of them `key=value`
/// (RFC 6763, section 6).
package struct TXTRecord: Hashable, Sendable {
  /// The version of the keys below. A record of another version is not understood.
  static let version = "1"
  /// Much less than DNS-SD's 8,900, so that the whole announcement fits one packet.
  package static let maximumBytes = 200

  private static let versionKey = "txtvers"
  private static let protocolKey = "proto"
  private static let slotsKey = "slots"
  private static let incarnationKey = "incarn"
  private static let addressKey = "addr"
  private static let fingerprintsKey = "keys"

  /// The record's bytes on the wire. A record from the network may hold any bytes.
  package let bytes: [UInt8]

  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  package init(_ advertisement: Advertisement) {
    var pairs = [
      (Self.versionKey, Self.version),
      (Self.protocolKey, String(advertisement.protocolVersion)),
      (Self.slotsKey, String(advertisement.slots)),
      (Self.incarnationKey, advertisement.incarnation.description),
    ]
    if let address = advertisement.address { pairs.append((Self.addressKey, address)) }
    if !advertisement.fingerprints.isEmpty {
      pairs.append((Self.fingerprintsKey, advertisement.fingerprints.joined(separator: ",")))
    }
    bytes = pairs.flatMap { key, value in
      let string = Array("\(key)=\(value)".utf8)
      return [UInt8(string.count)] + string
    }
  }

  /// The value of the first string with this key, in either case; `nil` if it has no value, or one that is not
  /// UTF-8.
  package subscript(key: String) -> String? {
    for string in strings {
      let equals = string.firstIndex(of: UInt8(ascii: "="))
      let name = String(decoding: string[..<(equals ?? string.endIndex)], as: UTF8.self)
      guard name.lowercased() == key else { continue }
      // Later strings with the same key are ignored, even if this one has no value.
      return equals.flatMap { String(validating: string[($0 + 1)...], as: UTF8.self) }
    }
    return nil
  }

  package var incarnation: Incarnation? {
    understood(Self.incarnationKey).flatMap { Incarnation($0) }
  }
  package var slots: Int? { understood(Self.slotsKey).flatMap(Self.count) }
  package var protocolVersion: Int? { understood(Self.protocolKey).flatMap(Self.count) }

  /// The one address that the node listens on; `nil` if it listens on all of its host's.
  package var address: String? {
    understood(Self.addressKey).flatMap { Endpoint(host: $0, port: 1).hasLiteralHost ? $0 : nil }
  }

  /// The fingerprints of the node's keys, newest first. A node holds few keys, so of a longer list the rest is
  /// ignored.
  package var fingerprints: [String] {
    let list = understood(Self.fingerprintsKey) ?? ""
    return list.split(separator: ",").prefix(Self.mostFingerprints).map(String.init)
  }

  private static let mostFingerprints = 4

  private func understood(_ key: String) -> String? {
    self[Self.versionKey] == Self.version ? self[key] : nil
  }

  private static func count(_ text: String) -> Int? {
    // Int(_:) would also accept a sign.
    guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    return Int(text)
  }

  /// The record's strings, up to the first that is cut off.
  package var strings: [ArraySlice<UInt8>] {
    var strings: [ArraySlice<UInt8>] = []
    var rest = bytes[...]
    while let length = rest.popFirst(), length <= rest.count {
      strings.append(rest.prefix(Int(length)))
      rest.removeFirst(Int(length))
    }
    return strings
  }
}
