import CResolver
import SkyNetCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The system's resolver, as `/etc/nsswitch.conf`, `/etc/hosts` and `/etc/resolv.conf` set it, with its search
/// list. It notices changes of these files.
struct SystemResolver: NameLookup {
  private static let answerSize = 65_536

  func lookUp(_ name: PeerReference) throws(LookupFailure) -> NameAnswer {
    switch name {
    case .endpoint(let endpoint):
      return NameAnswer(endpoints: try Self.addresses(of: endpoint), lifetime: nil)
    case .service(let service): return try Self.endpoints(of: service)
    }
  }

  // MARK: Services

  private static func endpoints(of service: String) throws(LookupFailure) -> NameAnswer {
    var bytes = [UInt8](repeating: 0, count: answerSize)
    var code: CInt = 0
    let count = resolver_services(service, &bytes, CInt(bytes.count), &code)
    guard count >= 0 else {
      switch Int(code) {
      case resolver_not_found:
        throw LookupFailure(isAbsence: true, reason: "the name is not known")
      case resolver_no_data:
        throw LookupFailure(isAbsence: true, reason: "the name has no SRV record")
      default: throw LookupFailure(isAbsence: false, reason: "no name server answers")
      }
    }
    guard let answer = ServiceRecords(Array(bytes.prefix(Int(count)))) else {
      throw LookupFailure(isAbsence: false, reason: "the name server's answer is not understood")
    }
    guard !answer.records.isEmpty else {
      throw LookupFailure(isAbsence: true, reason: "the service is offered nowhere")
    }
    let lifetime = answer.seconds.map { Duration.seconds($0) }
    var (endpoints, failure) = ([Endpoint](), LookupFailure?.none)
    for record in answer.records {
      let literal = Endpoint(host: record.target, port: record.port)
      // Targets are whole names. With a dot at the end the search list does not apply.
      let target = Endpoint(host: record.target + ".", port: record.port)
      do throws(LookupFailure) {
        endpoints += literal.hasLiteralHost ? [literal] : try addresses(of: target)
      } catch  where !error.isAbsence {
        // An answer without the nodes of this host would make them lost.
        throw error
      } catch {
        failure = LookupFailure(isAbsence: true, reason: "\(record.target): \(error.reason)")
      }
    }
    if endpoints.isEmpty, let failure { throw failure }
    var seen: Set<Endpoint> = []
    return NameAnswer(endpoints: endpoints.filter { seen.insert($0).inserted }, lifetime: lifetime)
  }

  // MARK: Addresses

  private static func addresses(of endpoint: Endpoint) throws(LookupFailure) -> [Endpoint] {
    var hints = addrinfo()
    hints.ai_socktype = streamType
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(endpoint.host, nil, &hints, &list)
    guard code == 0 else { throw failure(code, endpoint) }
    defer { freeaddrinfo(list) }
    var found: [(address: PeerAddress, isReachable: Bool)] = []
    var next = list
    while let entry = next?.pointee {
      next = entry.ai_next
      guard let address = PeerAddress(entry.ai_addr),
        !found.contains(where: { $0.address == address })
      else { continue }
      found.append((address, hasRoute(entry)))
    }
    // A name often has an IPv6 address too, and a machine often no way there.
    let reachable = found.filter(\.isReachable)
    return (reachable.isEmpty ? found : reachable).map(\.address).sorted()
      .map { Endpoint(host: $0.host, port: endpoint.port) }
  }

  private static func failure(_ code: CInt, _ endpoint: Endpoint) -> LookupFailure {
    let hint = endpoint.hintIfUnknown
    switch code {
    case EAI_NONAME: return LookupFailure(isAbsence: true, reason: "the name is not known\(hint)")
    case noAddress: return LookupFailure(isAbsence: true, reason: "the name has no address")
    case EAI_AGAIN: return LookupFailure(isAbsence: false, reason: "no name server answers\(hint)")
    default:
      let text = gai_strerror(code).map { String(cString: $0).lowercased() }
      return LookupFailure(isAbsence: false, reason: text ?? "error \(code)")
    }
  }

  /// Whether this machine has a route to the address. Nothing is sent: connecting a UDP socket only looks for the
  /// route. Where the socket cannot be made, the answer is that there is one.
  private static func hasRoute(_ entry: addrinfo) -> Bool {
    let descriptor = socket(entry.ai_family, datagramType, 0)
    guard descriptor >= 0 else { return errno != EAFNOSUPPORT }
    defer { close(descriptor) }
    // To any port: that of a DNS query serves as well as others.
    var storage = sockaddr_storage()
    withUnsafeMutableBytes(of: &storage) { bytes in
      let size = min(Int(entry.ai_addrlen), bytes.count)
      bytes.copyMemory(from: UnsafeRawBufferPointer(start: entry.ai_addr, count: size))
      // The port has the same place in both families.
      bytes.storeBytes(of: UInt16(53).bigEndian, toByteOffset: 2, as: UInt16.self)
    }
    return withUnsafePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, entry.ai_addrlen) == 0
      }
    }
  }

  #if canImport(Glibc)
    private static let streamType = CInt(SOCK_STREAM.rawValue)
    private static let datagramType = CInt(SOCK_DGRAM.rawValue)
  #else
    private static let streamType = SOCK_STREAM
    private static let datagramType = SOCK_DGRAM
  #endif

  /// The code for a name without an address, which glibc's headers declare only with _GNU_SOURCE.
  #if os(Linux)
    private static let noAddress: CInt = -5
  #else
    private static let noAddress = EAI_NODATA
  #endif
}
