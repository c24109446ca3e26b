import Foundation
import SkyNetJournal
import SkyNetReport

@testable import SkyNetCluster
@testable import SkyNetCore

/// A journal that a test writes, in a folder that is removed with the last reference.
final class TestJournal: Sendable {
  let path: String
  private let folder = NSTemporaryDirectory() + "skynet-report-" + UUID().uuidString

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    path = folder + "/run.sqlite"
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func open(sectors: Int?, setup: RunSetup? = nil) async throws -> SQLiteJournal {
    try await SQLiteJournal.open(
      path, for: JobIdentity([.init("scan", "test/1")]), sectors: sectors, setup: setup)
  }

  /// A copy of the files as they are now, as a process that is killed leaves them.
  func afterDeath() throws -> TestJournal {
    let copy = try TestJournal()
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: copy.path + suffix)
    }
    return copy
  }

  /// The journal's report. The file is there until this returns.
  func report(_ name: String = "x") throws -> RunReport {
    try RunReport.read(path, named: name) { _ in
      RunReport.Scene(
        words: RunWords(part: .init("image", "images"), point: .init("source", "sources")))
    }
  }

  static let setup = RunSetup(
    name: "night.fits", passes: ["background", "detection"],
    kind: ScanKind(name: "test", version: 1),
    settings: "{}")
}

/// The attempts of a process at tasks, numbered as an engagement numbers them.
struct TestAttempts {
  private(set) var systems: [String: Incarnation] = [:]
  private var count: UInt64 = 0

  /// The identity of the system of this name.
  mutating func system(_ name: String) -> Incarnation {
    let id = systems[name] ?? Incarnation()
    systems[name] = id
    return id
  }

  /// The next attempt at a task.
  mutating func next(
    _ sector: Int, pass: Int = 0, on name: String = "b", ordinal: Int = 1
  ) -> Attempt {
    count += 1
    return Attempt(
      id: count, task: TaskID(pass: pass, sector: sector),
      slot: Slot(number: count, system: system(name), name: name), ordinal: ordinal, isHedge: false)
  }
}

extension SQLiteJournal {
  func changed(_ system: Incarnation, _ name: String, _ kind: SystemChange.Kind) {
    record(.changed(SystemChange(system: system, name: name, kind: kind)))
  }

  func began(_ attempt: Attempt) {
    record(.began(attempt, isLocal: attempt.slot.name == "local"))
  }

  func done(_ attempt: Attempt, seconds: Double = 0.5, endsSector: Bool = true) {
    record(
      .accepted(
        attempt, output: "out", attempts: attempt.ordinal, seconds: seconds, endsSector: endsSector)
    )
  }
}
