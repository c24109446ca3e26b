/// How a process introduces itself: the first frame each way.
package struct Hello: Hashable, Sendable, Codable {
  /// More is taken for nonsense: it would have the peer send that many tasks at once.
  package static let maximumSlots = 65_536
  /// Less is no time to hear from a peer in.
  package static let minimumTimeoutSeconds = 0.01
  /// A day. Durations that long still fit every calculation made with them.
  package static let maximumTimeoutSeconds = 86_400.0
  /// How many bytes of calls a process holds for one peer that does not say how many.
  package static let usualHeldBytes = 1 << 30
  /// The most kinds of scan that one process knows, and the most bytes that each may have.
  package static let maximumScans = 256
  package static let maximumKindBytes = 128

  /// The wire protocol's version. Of another version's hello, only this is read.
  package var protocolVersion: Int
  /// The software's version, for people: at most 63 bytes without control characters.
  package var software: String
  /// For people: 1 to 63 bytes without control characters.
  package var name: String
  package var incarnation: Incarnation
  /// How many scans it runs at a time; 0 from one that runs none for others.
  package var slots: Int
  /// After how long a silence it takes its peer for gone.
  package var timeoutSeconds: Double
  /// The kinds of scan it can run.
  package var scans: [ScanKind]
  /// How many bytes of calls, bodies and bulk, one peer may have sent it and not have answers to. A peer that
  /// does not say it holds ``usualHeldBytes``.
  package var heldBytes: Int?

  /// How many bytes of calls to send it at the most before it answers some.
  package var heldLimit: Int { heldBytes ?? Self.usualHeldBytes }

  package init(
    protocolVersion: Int = SkyNetVersion.wireProtocol, software: String = SkyNetVersion.software,
    name: String, incarnation: Incarnation, slots: Int, timeout: Duration, scans: [ScanKind],
    heldBytes: Int? = nil
  ) {
    self.protocolVersion = protocolVersion
    self.software = software
    self.name = name
    self.incarnation = incarnation
    self.slots = slots
    self.timeoutSeconds = timeout.inSeconds
    self.scans = scans
    self.heldBytes = heldBytes
  }

  /// - Throws: `WireError` if a field is out of its bounds; `DecodingError`.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    protocolVersion = try container.decode(Int.self, forKey: .protocolVersion)
    software = try container.decode(String.self, forKey: .software)
    name = try container.decode(String.self, forKey: .name)
    incarnation = try container.decode(Incarnation.self, forKey: .incarnation)
    slots = try container.decode(Int.self, forKey: .slots)
    timeoutSeconds = try container.decode(Double.self, forKey: .timeoutSeconds)
    scans = try container.decode([ScanKind].self, forKey: .scans)
    heldBytes = try container.decodeIfPresent(Int.self, forKey: .heldBytes)
    try check()
  }

  /// What a peer says of itself is kept for as long as it is connected, and parts of it for longer.
  ///
  /// - Throws: `WireError` that names the field and its bound.
  private func check() throws(WireError) {
    func demand(_ isSound: Bool, _ fault: @autoclosure () -> String) throws(WireError) {
      if !isSound { throw WireError(.malformed, "a hello with \(fault())") }
    }
    try demand(
      (0...Self.maximumSlots).contains(slots),
      "\(slots) slots makes no sense; 0 to \(Self.maximumSlots) are allowed")
    let timeouts = Self.minimumTimeoutSeconds...Self.maximumTimeoutSeconds
    try demand(
      timeouts.contains(timeoutSeconds),
      "a timeout of \(timeoutSeconds) s makes no sense; "
        + "\(Self.minimumTimeoutSeconds) to \(Self.maximumTimeoutSeconds) s are allowed")
    try demand(
      PeerName.isAllowed(name),
      "a name of \(name.utf8.count) bytes; 1 to \(PeerName.maximumBytes) are allowed, "
        + "and no control characters")
    try demand(
      PeerName.isShortLine(software),
      "a software version of \(software.utf8.count) bytes; at most \(PeerName.maximumBytes) are "
        + "allowed, and no control characters")
    if let heldBytes {
      try demand(heldBytes >= 0, "room for \(heldBytes) bytes makes no sense; 0 or more is allowed")
    }
    try demand(
      scans.count <= Self.maximumScans,
      "\(scans.count) kinds of scan; at most \(Self.maximumScans) are allowed")
    for kind in scans {
      try demand(
        PeerName.isShortLine(kind.description, atMost: Self.maximumKindBytes),
        "a kind of scan of \(kind.description.utf8.count) bytes; "
          + "at most \(Self.maximumKindBytes) are allowed, and no control characters")
    }
  }
}

/// Why a process ends a connection: the last frame.
package struct Goodbye: Hashable, Sendable, Codable, Error {
  /// What the receiver did wrong, or `nil` if the sender just leaves.
  package var code: WireError.Code?
  package var message: String

  package init(_ message: String) {
    self.message = message
  }

  package init(_ error: WireError) {
    code = error.code
    message = error.message
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    code = try container.decodeIfPresent(WireError.Code.self, forKey: .code)
    message = try container.decode(String.self, forKey: .message).bounded
  }
}

/// What is told of a scan's start, if an earlier call has begun it.
struct ScanStart: Codable {
  /// How long it runs already, in seconds.
  let ran: Double

  init(ran: Double) {
    self.ran = ran
  }

  init(from decoder: any Decoder) throws {
    ran = try decoder.container(keyedBy: CodingKeys.self).decodeSeconds(forKey: .ran)
  }
}

/// How a call failed, at the side that was to perform it.
package struct CallFailure: Error, Hashable, Sendable, Codable, CustomStringConvertible {
  package enum Fault: String, Hashable, Sendable, Codable {
    /// The scan threw: the task may be at fault, or it was bad luck.
    case task
    /// The system cannot do this: another one might.
    case system
    /// The system takes nothing new, and hands the task back untouched.
    case draining
    /// The caller cancelled the call.
    case cancelled
  }

  package var fault: Fault
  package var message: String
  /// The scan's own time until it failed, in seconds.
  package var seconds: Double

  package init(_ fault: Fault, _ message: String, seconds: Double = 0) {
    self.fault = fault
    self.message = message
    self.seconds = seconds
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    fault = try container.decode(Fault.self, forKey: .fault)
    message = try container.decode(String.self, forKey: .message).bounded
    seconds = try container.decodeSeconds(forKey: .seconds)
  }

  package var description: String { message }
}
