extension Seeds {
  private static let incarnation = "2C9505C8-92FE-4B11-BCF3-84F3FBD151B6"

  static let txt: Named = [
    "plain": record("txtvers=1", "proto=1", "slots=4", "incarn=\(incarnation)"),
    "secured": record(
      "txtvers=1", "proto=1", "slots=4", "incarn=\(incarnation)", "keys=0123456789abcdef"),
    "another-version": record("txtvers=2", "proto=1", "slots=4"),
    "keys-in-capitals-and-twice": record("TXTVERS=1", "Slots=3", "slots=5", "proto", "proto=2"),
    "slots-huge": record("txtvers=1", "slots=99999999999999999999", "proto=-1", "incarn=1"),
    "slots-largest": record(
      "txtvers=1", "proto=9223372036854775807", "slots=9223372036854775807",
      "incarn=\(incarnation)"),
    "not-utf-8": record("txtvers=1") + [8] + utf8("slots=") + [0xC3, 0xFF],
    "key-not-utf-8": [3, 0xFF, UInt8(ascii: "="), UInt8(ascii: "1")] + record("a=1"),
    "cut": Array(record("txtvers=1", "slots=3").dropLast()),
    "empty-strings": [0, 0, 0],
    "length-alone": [255],
    "no-key": record("=1", "=", "a"),
  ]

  static let names: Named = [
    "endpoint": utf8("192.0.2.1:35821"),
    "endpoint-ipv6": utf8("[fe80::1%eth0]:7000"),
    "endpoint-brackets": utf8("[[a]]:1"),
    "endpoint-signed": utf8("a:+7"),
    "endpoint-port-high": utf8("a:65536"),
    "kind": utf8("sources/1"),
    "kind-slashes": utf8("a//-9223372036854775808"),
    "incarnation": utf8(incarnation),
    "service-name": utf8("a #2"),
    "service-name-longest": utf8(String(repeating: "é", count: 31) + "a"),
    "service-name-numbered": utf8(String(repeating: "🚀", count: 14) + " #99999"),
    "service-name-one-character": utf8("a" + String(repeating: "\u{301}", count: 31)),
    "combining": utf8("a:\u{301}1:2"),
    "not-utf-8": [0xC3, 0x28, 0xFF, UInt8(ascii: ":"), UInt8(ascii: "1")],
  ]

  /// Strings, each after its length.
  private static func record(_ strings: String...) -> [UInt8] {
    strings.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
  }
}
