import CDNSSD

/// A type of service, and the requests about it. All are in the domain `local`, that is, by multicast.
struct ServiceType: Hashable, Sendable {
  /// For example `_skynet._tcp`.
  let name: String

  private static let domain = "local."
  // Avahi's library refuses any other flags.
  private static let noFlags: DNSServiceFlags = 0
  private static let anyInterface: UInt32 = 0

  /// Answers with each instance that appears or disappears, once for each interface and IP protocol.
  func browse() throws(ServiceError) -> ServiceReference {
    try ServiceReference { reference, context in
      dns_sd_browse(
        &reference, Self.noFlags, Self.anyInterface, name, Self.domain,
        { _, flags, interface, code, name, _, _, context in
          let answer: ServiceReference.Answer
          if code == kDNSServiceErr_NoError, let name {
            let isAdded = flags & DNSServiceFlags(kDNSServiceFlagsAdd) != 0
            answer = .instance(name: String(cString: name), interface: interface, isAdded: isAdded)
          } else {
            answer = .failed(ServiceError(code: Int(code)))
          }
          ServiceReference.Inbox.at(context)?.answers.append(answer)
        }, context)
    }
  }

  /// Answers with the instance's service as the daemon remembers it, and again when the network says
  /// otherwise.
  func resolve(_ instance: String) throws(ServiceError) -> ServiceReference {
    try ServiceReference { reference, context in
      dns_sd_resolve(
        &reference, Self.noFlags, Self.anyInterface, instance, name, Self.domain,
        { _, _, _, code, _, host, port, textLength, text, context in
          let answer: ServiceReference.Answer
          if code == kDNSServiceErr_NoError, let host {
            let bytes = UnsafeBufferPointer(start: text, count: text == nil ? 0 : Int(textLength))
            answer = .resolved(
              Service(
                host: String(cString: host), port: Int(UInt16(bigEndian: port)),
                text: TXTRecord(bytes: Array(bytes))))
          } else {
            answer = .failed(ServiceError(code: Int(code)))
          }
          ServiceReference.Inbox.at(context)?.answers.append(answer)
        }, context)
    }
  }

  /// Answers with each address of a host that appears or disappears. `type` is the record's type, A or AAAA. If
  /// the host has no such address, there is no answer.
  static func queryAddresses(
    of host: String, type: Int
  ) throws(ServiceError) -> ServiceReference {
    try ServiceReference { reference, context in
      dns_sd_query_record(
        &reference, noFlags, anyInterface, host, UInt16(type), UInt16(kDNSServiceClass_IN),
        { _, flags, interface, code, _, type, _, length, data, _, context in
          let answer: ServiceReference.Answer
          if code == kDNSServiceErr_NoError {
            let bytes = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : Int(length))
            answer = .record(
              type: Int(type), data: Array(bytes), interface: interface,
              isAdded: flags & DNSServiceFlags(kDNSServiceFlagsAdd) != 0)
          } else {
            answer = .failed(ServiceError(code: Int(code)))
          }
          ServiceReference.Inbox.at(context)?.answers.append(answer)
        }, context)
    }
  }

  /// Registers an instance on this host, on all interfaces or on one. Answers with the name that it got, and again when
  /// that changes.
  func register(
    _ instance: String, port: UInt16, text: TXTRecord, on interface: UInt32?
  ) throws(ServiceError) -> ServiceReference {
    try ServiceReference { reference, context in
      text.bytes.withUnsafeBytes { text in
        dns_sd_register(
          &reference, Self.noFlags, interface ?? Self.anyInterface, instance, name, Self.domain,
          nil,
          port.bigEndian, UInt16(text.count), text.baseAddress,
          { _, _, code, name, _, _, context in
            let answer: ServiceReference.Answer =
              if code == kDNSServiceErr_NoError, let name {
                .registered(name: String(cString: name))
              } else {
                .failed(ServiceError(code: Int(code)))
              }
            ServiceReference.Inbox.at(context)?.answers.append(answer)
          }, context)
      }
    }
  }
}
