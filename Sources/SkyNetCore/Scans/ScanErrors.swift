/// This system can run no scan of this run: it lacks a program or a folder, or may not run what is asked for.
///
/// A scan throws it. Nothing counts against the sector, which is scanned elsewhere. The system gets no more tasks of the
/// run, whose people are told the reason. If no system is left, and none has scanned anything, the run ends with the
/// reasons of all.
public struct SystemUnsuited: Error, Hashable, Sendable, CustomStringConvertible {
  /// What the system lacks, and the next step, for people.
  public let reason: String

  /// Makes the error of a system that lacks something, with the reason that people are told.
  public init(_ reason: String) { self.reason = reason }

  public var description: String { reason }
}

/// This system has no room for the scan now: it is out of processes, open files, memory or disk.
///
/// A scan throws it before it has begun anything. Nothing counts against the sector, which is scanned elsewhere, or later.
/// The system gets fewer tasks at a time, as many as run there, and more again once there is room; people are told the
/// reason. If no system has room, the run waits for as long as it takes.
public struct SystemFull: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is short, and the next step, for people.
  public let reason: String

  /// Makes the error of a system without room, with the reason that people are told.
  public init(_ reason: String) { self.reason = reason }

  public var description: String { reason }
}

/// The scan failed, and no other attempt at the sector would mend it, here or elsewhere. The sector is given up at once.
///
/// A scan throws it, or a job that makes a sector.
public struct UnmendableFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why no attempt can succeed, for people.
  public let reason: String

  /// Makes the error of a sector that cannot be scanned, with the reason that people are told.
  public init(_ reason: String) { self.reason = reason }

  public var description: String { reason }
}
