#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension PeerAddress {
  /// The address that the system's functions tell; `nil` if there is none, or its family is neither IPv4 nor IPv6.
  init?(_ socketAddress: UnsafePointer<sockaddr>?) {
    guard let socketAddress else { return nil }
    let address = UnsafeRawPointer(socketAddress)
    switch CInt(socketAddress.pointee.sa_family) {
    case AF_INET:
      let part = address.loadUnaligned(as: sockaddr_in.self).sin_addr
      self.init(bytes: withUnsafeBytes(of: part) { Array($0) }, interfaceName: nil)
    case AF_INET6:
      let whole = address.loadUnaligned(as: sockaddr_in6.self)
      var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
      let hasName = whole.sin6_scope_id > 0 && if_indextoname(whole.sin6_scope_id, &name) != nil
      let characters = name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
      self.init(
        bytes: withUnsafeBytes(of: whole.sin6_addr) { Array($0) },
        interfaceName: hasName ? String(decoding: characters, as: UTF8.self) : nil)
    default: return nil
    }
  }
}
