import CDNSSD

/// The type of service, and what can be asked about it. All in the domain `local`: multicast.
struct ServiceType: Hashable, Sendable {
  /// As in `_skynet._tcp`.
  let name: String

  private static let domain = "local."
  // Avahi's library refuses any other.
  private static let noFlags: DNSServiceFlags = 0
  private static let anyInterface: UInt32 = 0

  func browse() throws(ServiceError) -> ServiceReference {
    try ServiceReference { reference, context in
      DNSServiceBrowse(
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

  func resolve(_ instance: String) throws(ServiceError) -> ServiceReference {
    try ServiceReference { reference, context in
      DNSServiceResolve(
        &reference, Self.noFlags, Self.anyInterface, instance, name, Self.domain,
        { _, _, _, code, _, host, port, textLength, text, context in
          let answer: ServiceReference.Answer
          if code == kDNSServiceErr_NoError, let host {
            let bytes = UnsafeBufferPointer(start: text, count: text == nil ? 0 : Int(textLength))
            answer = .resolved(
              host: String(cString: host), port: Int(UInt16(bigEndian: port)),
              text: TXTRecord(bytes: Array(bytes)))
          } else {
            answer = .failed(ServiceError(code: Int(code)))
          }
          ServiceReference.Inbox.at(context)?.answers.append(answer)
        }, context)
    }
  }

  /// Answers with the instance's TXT record, and again whenever it changes.
  func queryText(of instance: String) throws(ServiceError) -> ServiceReference {
    var fullName = [CChar](repeating: 0, count: Int(kDNSServiceMaxDomainName))
    guard DNSServiceConstructFullName(&fullName, instance, name, Self.domain) == 0 else {
      throw ServiceError(code: kDNSServiceErr_BadParam)
    }
    let bytes = fullName.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
    return try Self.query(String(decoding: bytes, as: UTF8.self), type: kDNSServiceType_TXT)
  }

  /// Answers with the addresses of one family of a host, and again whenever they change; never,
  /// if it has none.
  static func queryAddresses(
    of host: String, type: Int
  ) throws(ServiceError) -> ServiceReference {
    try query(host, type: type)
  }

  private static func query(_ name: String, type: Int) throws(ServiceError) -> ServiceReference {
    try ServiceReference { reference, context in
      DNSServiceQueryRecord(
        &reference, noFlags, anyInterface, name, UInt16(type), UInt16(kDNSServiceClass_IN),
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

  func register(
    _ instance: String, port: UInt16, text: TXTRecord
  ) throws(ServiceError) -> ServiceReference {
    try ServiceReference { reference, context in
      text.bytes.withUnsafeBytes { text in
        DNSServiceRegister(
          &reference, Self.noFlags, Self.anyInterface, instance, name, Self.domain, nil,
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
