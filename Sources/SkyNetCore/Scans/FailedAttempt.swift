/// One attempt at a sector that brought no output: where it was made, why it failed, and what kind of failure it is.
public struct FailedAttempt: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is. Later versions may have further ones.
  public struct Code: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// The scan threw an error, or the system could not do this call.
    public static let failed = Code(rawValue: "failed")
    /// The scan was cancelled where it ran, and not by its caller.
    public static let cancelled = Code(rawValue: "cancelled")
    /// The scan took longer than its time limit.
    public static let timedOut = Code(rawValue: "timed out")
    /// The connection to the system ended before the answer came. The scan may have ended its process.
    public static let lost = Code(rawValue: "lost")
    /// The system's answer cannot be right, or cannot be read.
    public static let refused = Code(rawValue: "refused")
    /// No other attempt would mend it; see ``UnmendableFailure``. A job says so too (`Job.isWorthRetrying(_:of:)`).
    public static let unmendable = Code(rawValue: "unmendable")
    /// The settings, the sector or the output are larger than a message may be. No other attempt would mend it.
    public static let tooLarge = Code(rawValue: "too large")
    /// The system can run no scan of this run; see ``SystemUnsuited``. Nothing counts against the sector.
    public static let unsuited = Code(rawValue: "unsuited")
    /// The system has no room for the scan now; see ``SystemFull``. Nothing counts against the sector.
    public static let full = Code(rawValue: "full")
    /// The system takes no new scans, and has handed the sector back. Nothing counts against the sector.
    public static let handedBack = Code(rawValue: "handed back")
    /// The engagement has called the sector back, for another system. Nothing counts against the sector.
    public static let calledBack = Code(rawValue: "called back")

    /// Whether no other attempt at the sector would succeed either.
    public var isFinal: Bool { self == .unmendable || self == .tooLarge }
  }

  /// The name of the system; `local` for this process's own, `none` if the reason does not come from a system.
  public let system: String
  public let code: Code
  /// What the scan said, or what happened to its system, for people.
  public let reason: String

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
      code: try container.decodeIfPresent(Code.self, forKey: .code) ?? .failed,
      reason: try container.decode(String.self, forKey: .reason))
  }
}
