/// This system can run no scan of this run: it lacks a program or a folder, or may not run what is asked for.
///
/// A scan throws it. Nothing counts against the sector, which is scanned elsewhere. The system gets no more tasks of the
/// run, whose people are told the reason. If no system is left, and none has scanned anything, the run ends with the
/// reasons of all.
public struct SystemUnsuited: Error, Hashable, Sendable, CustomStringConvertible {
  /// What the system lacks, and the next step, for people.
  public let reason: String

  public init(_ reason: String) { self.reason = reason }

  public var description: String { reason }
}

/// The scan failed, and no other attempt at the sector would mend it, here or elsewhere. The sector is given up at once.
///
/// A scan throws it, or a job that makes a sector.
public struct UnmendableFailure: Error, Hashable, Sendable, CustomStringConvertible {
  public let reason: String

  public init(_ reason: String) { self.reason = reason }

  public var description: String { reason }
}
