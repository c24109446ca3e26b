package import SkyNetCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Endpoint {
  /// Whether the host is an IPv4 or IPv6 address, and so is never looked up. An IPv6 address may have a zone:
  /// `fe80::1%eth0`.
  package var hasLiteralHost: Bool {
    var buffer = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, host, &buffer) == 1 { return true }
    let parts = host.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.last?.isEmpty == false && inet_pton(AF_INET6, String(parts[0]), &buffer) == 1
  }
}
