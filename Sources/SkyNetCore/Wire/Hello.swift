/// How a process introduces itself: the first frame each way.
public struct Hello: Hashable, Sendable, Codable {
  /// More is taken for nonsense: it would have the peer send that many tasks at once.
  public static let maximumSlots = 65_536
  /// Less would have the peer ping more often than the network is worth.
  public static let minimumTimeoutSeconds = 0.01
  /// A day. Durations that long still fit every calculation made with them.
  public static let maximumTimeoutSeconds = 86_400.0

  /// The wire protocol's version. Of another version's hello, only this is read.
  public var protocolVersion: Int
  /// The software's version, for people.
  public var software: String
  public var name: String
  public var incarnation: Incarnation
  /// How many scans it runs at a time; 0 from one that runs none for others.
  public var slots: Int
  /// After how long a silence it takes its peer for gone.
  public var timeoutSeconds: Double
  /// The kinds of scan it can run.
  public var scans: [ScanKind]

  public init(
    protocolVersion: Int = SkyNetVersion.wireProtocol, software: String = SkyNetVersion.software,
    name: String, incarnation: Incarnation, slots: Int, timeout: Duration, scans: [ScanKind]
  ) {
    self.protocolVersion = protocolVersion
    self.software = software
    self.name = name
    self.incarnation = incarnation
    self.slots = slots
    self.timeoutSeconds = timeout.inSeconds
    self.scans = scans
  }
}

/// Why a process ends a connection: the last frame.
public struct Goodbye: Hashable, Sendable, Codable, Error {
  /// What the receiver did wrong, or `nil` if the sender just leaves.
  public var code: WireError.Code?
  public var message: String

  public init(_ message: String) {
    self.message = message
  }

  public init(_ error: WireError) {
    code = error.code
    message = error.message
  }
}

/// How a call failed, at the side that was to perform it.
public struct CallFailure: Error, Hashable, Sendable, Codable, CustomStringConvertible {
  public enum Fault: String, Hashable, Sendable, Codable {
    /// The scan threw: the task may be at fault, or it was bad luck.
    case task
    /// The system cannot do this: another one might.
    case system
    /// The system takes nothing new, and hands the task back untouched.
    case draining
    /// The caller cancelled the call.
    case cancelled
  }

  public var fault: Fault
  public var message: String
  /// The scan's own time until it failed, in seconds.
  public var seconds: Double

  public init(_ fault: Fault, _ message: String, seconds: Double = 0) {
    self.fault = fault
    self.message = message
    self.seconds = seconds
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    fault = try container.decode(Fault.self, forKey: .fault)
    message = try container.decode(String.self, forKey: .message)
    seconds = try container.decodeSeconds(forKey: .seconds)
  }

  public var description: String { message }
}
