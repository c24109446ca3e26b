// What this file codes is frozen by the version of the wire protocol: see docs/protocol.md.

/// A process's introduction of itself: the first frame in each direction.
package struct Hello: Hashable, Sendable, Codable {
  /// The most slots that are believed. With more, the peer would send that many tasks at once.
  package static let maximumSlots = 65_536
  /// The shortest timeout. In less time nothing can be heard from a peer.
  package static let minimumTimeoutSeconds = 0.01
  /// The longest timeout, a day. It fits every calculation made with it.
  package static let maximumTimeoutSeconds = 86_400.0
  /// The most kinds of scan of one process, and the most bytes of the text of each.
  package static let maximumScans = 256
  package static let maximumKindBytes = 128

  /// The version of the wire protocol that the process speaks. Of a hello of another version, only this field is
  /// read.
  package var protocolVersion: Int
  /// The version of the software, for people: at most 63 bytes without control characters.
  package var software: String
  /// The name of the process, for people: 1 to 63 bytes without control characters.
  package var name: String
  package var incarnation: Incarnation
  /// The number of scans that the process runs at a time; 0 if it runs none for others.
  package var slots: Int
  /// How long a peer may be silent before the process takes it for gone.
  package var timeoutSeconds: Double
  /// The kinds of scan that the process can run.
  package var scans: [ScanKind]
  /// The bytes of calls, bodies and bulk, that the process holds for one peer until it has answered
  /// them.
  package var heldBytes: Int
  /// The network namespace that the process runs in, as a short text that no other one on any machine has. `nil` if
  /// it does not say. Two processes of one namespace share a machine and its addresses.
  package var networkNamespace: String?

  package init(
    protocolVersion: Int = SkyNetVersion.wireProtocol,
    software: String = SkyNetVersion.software, name: String, incarnation: Incarnation, slots: Int,
    timeout: Duration, scans: [ScanKind], heldBytes: Int = WireLimits().announcedHeld,
    networkNamespace: String? = nil
  ) {
    self.protocolVersion = protocolVersion
    self.software = software
    self.name = name
    self.incarnation = incarnation
    self.slots = slots
    self.timeoutSeconds = timeout.inSeconds
    self.scans = scans
    self.heldBytes = heldBytes
    self.networkNamespace = networkNamespace
  }

  /// How long it takes at most, from the end of a connection, until the process has cancelled what it scanned for the
  /// peer: it may notice the end only by its timeout, at the next look (``Heartbeat``), and then keep the scans for as
  /// long again, so that the peer may come back for them.
  package var cancelsWithin: Duration {
    .seconds(2 * timeoutSeconds + min(1, timeoutSeconds / 5))
  }

  /// - Throws: `WireError` if the version is another one, or a field is out of its bounds; `DecodingError`.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    protocolVersion = try container.decode(Int.self, forKey: .protocolVersion)
    guard protocolVersion == SkyNetVersion.wireProtocol else {
      throw WireError.otherVersion(protocolVersion)
    }
    software = try container.decode(String.self, forKey: .software)
    name = try container.decode(String.self, forKey: .name)
    incarnation = try container.decode(Incarnation.self, forKey: .incarnation)
    slots = try container.decode(Int.self, forKey: .slots)
    timeoutSeconds = try container.decode(Double.self, forKey: .timeoutSeconds)
    scans = try container.decode([ScanKind].self, forKey: .scans)
    heldBytes = try container.decode(Int.self, forKey: .heldBytes)
    networkNamespace = try container.decodeIfPresent(String.self, forKey: .networkNamespace)
    try check()
  }

  /// Checks the bounds of all fields. They are kept for as long as the peer is connected, and some
  /// of them for longer.
  ///
  /// - Throws: a `WireError` that names the field and its bound.
  private func check() throws(WireError) {
    func demand(_ isSound: Bool, _ fault: @autoclosure () -> String) throws(WireError) {
      if !isSound { throw WireError(.malformed, "a hello with \(fault())") }
    }
    func demandLine(
      _ text: String, _ what: String, from least: Int = 1, to most: Int = PeerName.maximumBytes
    ) throws(WireError) {
      try demand(
        PeerName.isShortLine(text, atMost: most) && text.utf8.count >= least,
        "\(what) of \(text.utf8.count) bytes; \(least == 0 ? "at most" : "\(least) to") \(most) "
          + "are allowed, and no control characters")
    }
    try demand(
      (0...Self.maximumSlots).contains(slots),
      "\(slots) slots makes no sense; 0 to \(Self.maximumSlots) are allowed")
    let timeouts = Self.minimumTimeoutSeconds...Self.maximumTimeoutSeconds
    try demand(
      timeouts.contains(timeoutSeconds),
      "a timeout of \(timeoutSeconds) s makes no sense; "
        + "\(Self.minimumTimeoutSeconds) to \(Self.maximumTimeoutSeconds) s are allowed")
    try demandLine(name, "a name")
    try demandLine(software, "a software version", from: 0)
    try demand(heldBytes >= 0, "room for \(heldBytes) bytes makes no sense; 0 or more is allowed")
    if let networkNamespace { try demandLine(networkNamespace, "a network namespace") }
    try demand(
      scans.count <= Self.maximumScans,
      "\(scans.count) kinds of scan; at most \(Self.maximumScans) are allowed")
    for kind in scans {
      try demandLine(kind.description, "a kind of scan", from: 0, to: Self.maximumKindBytes)
    }
  }
}

/// The reason why a process ends a connection: the last frame.
package struct Goodbye: Hashable, Sendable, Codable, Error {
  /// The fault of the receiver; `nil` if the sender merely leaves.
  package var code: WireError.Code?
  package var message: String

  package init(_ message: String) {
    self.message = message
  }

  /// A node ends, in order.
  package static let stopped = Goodbye("the node has stopped")
  /// A node that was drained takes scans again, over a new connection.
  package static let takesScansAgain = Goodbye("it takes scans again")

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

/// The body of a `started` message whose scan was begun by an earlier call.
struct ScanStart: Codable {
  /// How long the scan has run already, in seconds.
  let ran: Double
}

extension ScanStart {
  init(from decoder: any Decoder) throws {
    ran = try decoder.container(keyedBy: CodingKeys.self).decodeSeconds(forKey: .ran)
  }
}

/// The body of a `drain` message, if a client asked for the drain.
struct DrainNotice: Codable {
  /// The client's name.
  let by: String
}

/// The failure of a call on the side that was to perform it.
package struct CallFailure: Error, Hashable, Sendable, Codable, CustomStringConvertible {
  package enum Fault: String, Hashable, Sendable, Codable {
    /// The scan threw. The task may be at fault, or it was bad luck.
    case task
    /// The system cannot do this call; another one may.
    case system
    /// The system drains, and hands the task back untouched.
    case draining
    /// The caller cancelled the call.
    case cancelled
    /// The scan cannot get the sector's data, which the caller is to send; see ``SectorDataRefused``.
    case data
    /// The system can run no scan of the caller's run; see ``SystemUnsuited``.
    case unsuited
    /// The system has no room for the scan now; see ``SystemFull``.
    case full
    /// No other attempt would mend it; see ``UnmendableFailure``.
    case unmendable
    /// What was to be sent, here or back, is larger than a message may be. No other attempt would mend it.
    case tooLarge
  }

  /// The most scalars of a message: the last words of a program that failed are among them.
  package static let longestMessage = 5000

  package var fault: Fault
  package var message: String
  /// How long the scan ran until it failed, in seconds.
  package var seconds: Double
  /// What the job of a ``SectorDataRefused`` goes by; `nil` for other failures.
  package var code: String?

  package init(_ fault: Fault, _ message: String, seconds: Double = 0) {
    self.fault = fault
    self.message = message
    self.seconds = seconds
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    fault = try container.decode(Fault.self, forKey: .fault)
    message = try container.decode(String.self, forKey: .message).shortened(to: Self.longestMessage)
    seconds = try container.decodeSeconds(forKey: .seconds)
    code = try container.decodeIfPresent(String.self, forKey: .code)
    guard (code ?? "").utf8.count <= SectorDataRefused.maximumCodeBytes else {
      throw WireError(.malformed, "a failure with a code of \(code?.utf8.count ?? 0) bytes")
    }
  }

  package var description: String { message }
}
