#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The address of a peer's host, from an A or AAAA record.
struct PeerAddress: Hashable, Sendable {
  /// 4 or 16 bytes, most significant first.
  let bytes: [UInt8]
  /// The interface that the record came by, for a link-local IPv6 address; else `nil`.
  let interfaceName: String?

  /// `nil` if there are not 4 or 16 bytes, or a link-local IPv6 address has no interface.
  init?(bytes: [UInt8], interfaceName: String?) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
    let needsInterface = bytes.count == 16 && Self.isLinkLocal(bytes)
    if needsInterface && interfaceName == nil { return nil }
    // Left out for other addresses, so that one that comes by two interfaces is the same address.
    self.interfaceName = needsInterface ? interfaceName : nil
  }

  private static func isLinkLocal(_ bytes: [UInt8]) -> Bool {
    bytes.count == 4
      ? bytes[0] == 169 && bytes[1] == 254 : bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
  }

  /// Whether the address holds on one network only.
  var isLinkLocal: Bool { Self.isLinkLocal(bytes) }

  /// Whether only programs of the same machine reach the address.
  var isLoopback: Bool {
    bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
  }

  /// The address as an endpoint's host: `192.0.2.1`, `2001:db8::1`, `fe80::1%eth0`.
  var host: String { interfaceName.map { "\(hostAnywhere)%\($0)" } ?? hostAnywhere }

  /// The same as other machines may use it, to which an interface of this machine means nothing.
  var hostAnywhere: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    // This cannot fail, as the family is known and there is room.
    _ = inet_ntop(family, bytes, &text, socklen_t(text.count))
    let characters = text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
    return String(decoding: characters, as: UTF8.self)
  }
}

extension PeerAddress: Comparable {
  /// The order in which to try addresses: IPv4 before IPv6; in each, routable before link-local; then by value,
  /// so that the order is always the same.
  static func < (one: PeerAddress, other: PeerAddress) -> Bool {
    if one.rank != other.rank { return one.rank < other.rank }
    if one.bytes != other.bytes { return one.bytes.lexicographicallyPrecedes(other.bytes) }
    return (one.interfaceName ?? "") < (other.interfaceName ?? "")
  }

  private var rank: Int { (bytes.count == 4 ? 0 : 2) + (Self.isLinkLocal(bytes) ? 1 : 0) }
}
