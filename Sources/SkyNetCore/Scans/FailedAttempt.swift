/// One attempt at a sector that brought no output: where it was made, why it failed, and what kind of failure it is.
public struct FailedAttempt: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is. Later versions may have further ones.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    fileprivate enum Kind: String, Codable {
      case failed, cancelled, timedOut, lost, refused, unmendable, tooLarge, unsuited, full,
        handedBack
      case calledBack
    }

    fileprivate let kind: Kind

    /// The scan threw an error, or the system could not do this call.
    public static let failed = Code(kind: .failed)
    /// The scan was cancelled where it ran, and not by its caller.
    public static let cancelled = Code(kind: .cancelled)
    /// The scan took longer than its time limit.
    public static let timedOut = Code(kind: .timedOut)
    /// The connection to the system ended before the answer came. The scan may have ended its process.
    public static let lost = Code(kind: .lost)
    /// The system's answer cannot be right, or cannot be read.
    public static let refused = Code(kind: .refused)
    /// No other attempt would mend it; see ``UnmendableFailure``. A job says so too (``Job/isWorthRetrying(_:of:)``).
    public static let unmendable = Code(kind: .unmendable)
    /// The settings, the sector or the output are larger than a message may be. No other attempt would mend it.
    public static let tooLarge = Code(kind: .tooLarge)
    /// The system can run no scan of this run; see ``SystemUnsuited``. Nothing counts against the sector.
    public static let unsuited = Code(kind: .unsuited)
    /// The system has no room for the scan now; see ``SystemFull``. Nothing counts against the sector.
    public static let full = Code(kind: .full)
    /// The system takes no new scans, and has handed the sector back. Nothing counts against the sector.
    public static let handedBack = Code(kind: .handedBack)
    /// The engagement has called the sector back, for another system. Nothing counts against the sector.
    public static let calledBack = Code(kind: .calledBack)

    /// The name of the code here, such as `tooLarge`.
    public var description: String { kind.rawValue }

    /// Whether no other attempt at the sector would succeed either.
    public var isFinal: Bool { self == .unmendable || self == .tooLarge }
  }

  /// The name of the system; `local` for this process's own, `none` if the reason does not come from a system.
  public let system: String
  /// What kind of failure it is.
  public let code: Code
  /// What the scan said, or what happened to its system, for people.
  public let reason: String

  /// Makes a failure, by default one of the scan itself.
  public init(system: String, code: Code = .failed, reason: String) {
    self.system = system
    self.code = code
    self.reason = reason
  }

  public var description: String { reason }
}

extension FailedAttempt: Codable {
  /// Reads also what has no code, which stands for ``Code/failed``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      system: try container.decode(String.self, forKey: .system),
      code: Code(kind: try container.decodeIfPresent(Code.Kind.self, forKey: .code) ?? .failed),
      reason: try container.decode(String.self, forKey: .reason))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(system, forKey: .system)
    try container.encode(code.kind, forKey: .code)
    try container.encode(reason, forKey: .reason)
  }

  private enum CodingKeys: CodingKey { case system, code, reason }
}
