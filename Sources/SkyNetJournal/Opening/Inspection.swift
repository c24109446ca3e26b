import Foundation
import SkyNetCore
import SkySQLite

/// The checks of a journal's contents before anything in it is changed or trusted.
///
/// ``JournalReader`` has checked before that the file has a journal's tables, and no others.
enum Inspection {
  /// The most facts that a job may have, and the longest value that a message quotes.
  private static let mostFacts = 1000
  private static let longestValue = 64
  /// How many differences a message lists.
  private static let listedDifferences = 5
  /// What a growing job has as its number of sectors.
  static let growing = 0

  /// Checks that the file is intact, and that it belongs to this job. A journal without a job fits
  /// every job.
  ///
  /// - Parameters:
  ///   - sectors: how many sectors the job has; `nil` of a growing job.
  ///   - isResizable: whether it is the same job with another number of them.
  /// - Throws: ``JournalError``.
  static func check(
    _ path: String, is identity: JobIdentity, sectors: Int?, isResizable: Bool = false
  ) throws {
    let job = try JournalReader.read(path) { db in
      try checkContents(db, path)
      return try Self.job(db, path)
    }
    guard let job else { return }
    let differences = Self.differences(job.identity, identity)
    let isSameSize = job.sectors == sectors || isResizable && job.sectors != nil
    guard differences.isEmpty, isSameSize else {
      let (was, now) = (Self.count(job.sectors), Self.count(sectors))
      let kinds = (Self.kind(of: job.identity).map(quoted), Self.kind(of: identity))
      // The settings of another scan are all different, and tell nothing.
      if let old = kinds.0, let new = kinds.1, old != new {
        throw JournalError(
          .otherJob, path,
          "it belongs to another job, \(old) of \(was) sectors, and this one is \(new) of \(now): name "
            + "another journal")
      }
      let all = differences.isEmpty ? ["sectors: \(was), now \(now)"] : differences
      let more = all.count - Self.listedDifferences
      throw JournalError(
        .otherJob, path,
        "it belongs to another job (\(all.prefix(Self.listedDifferences).joined(separator: "; "))"
          + (more > 0 ? "; and \(more) more" : "") + "): give the same input and "
          + "settings again, to the same version of the scan, or name another journal")
    }
  }

  private static func count(_ sectors: Int?) -> String { sectors.map(String.init) ?? "growing" }

  private static func kind(of identity: JobIdentity) -> String? {
    identity.facts.first { $0.name == "scan" }?.value
  }

  /// Checks that every row can be read and that every output is as it was written.
  static func checkContents(_ db: Database, _ path: String) throws {
    let findings = try db.rows("PRAGMA quick_check(1)").map { try $0[0] as String }
    guard findings == ["ok"] else {
      // The findings may quote the file, so the message does not include them.
      throw JournalError.damaged(path, "SQLite finds its structure or its values broken")
    }
    try RowBounds.check(db, path: path)
    try checkOutputs(db, path)
    try GivenUpTasks.check(db, path: path)
    try checkSetups(db, path)
  }

  private static func checkOutputs(_ db: Database, _ path: String) throws {
    let rows = try db.rows("SELECT task, output, checksum FROM result")
    while let row = try rows.next() {
      let task = Key(row: try row[0]).task
      var output: String = try row[1]
      guard try output.withUTF8({ checksum(of: .init($0), for: task) }) == row[2] else {
        throw JournalError.damaged(path, "the output of sector \(task.sector) has changed")
      }
    }
  }

  /// The job; `sectors` is `nil` of a growing one.
  static func job(
    _ db: Database, _ path: String
  ) throws -> (identity: JobIdentity, sectors: Int?)? {
    guard let row = try db.rows("SELECT identity, sectors FROM job").next() else { return nil }
    let text: String = try row[0]
    let identity = try? JSONDecoder().decode(JobIdentity.self, from: Data(text.utf8))
    guard let identity, identity.facts.count <= mostFacts else {
      throw JournalError.damaged(path, "its description of the job cannot be read")
    }
    let sectors: Int = try row[1]
    return (identity, sectors == growing ? nil : sectors)
  }

  /// The id of the run. A journal with a job has one.
  ///
  /// - Throws: ``JournalError`` if it is not there; `DatabaseError`.
  static func run(_ db: Database, _ path: String) throws -> RunID {
    let run = try db.value("SELECT run FROM run", as: String.self).flatMap { RunID($0) }
    guard let run else { throw JournalError.damaged(path, "its run has no id") }
    return run
  }

  /// Checks that the settings of each process can be read.
  private static func checkSetups(_ db: Database, _ path: String) throws {
    let decoder = JSONDecoder()
    let rows = try db.rows("SELECT setup FROM setup")
    while let row = try rows.next() { _ = try setup(row[0], decoder, path) }
  }

  /// What the latest process recorded of its settings.
  static func latestSetup(_ db: Database, _ path: String) throws -> RunSetup? {
    try db.value("SELECT setup FROM setup ORDER BY process DESC LIMIT 1")
      .map { try setup($0, JSONDecoder(), path) }
  }

  /// - Throws: ``JournalError`` if the text cannot be read.
  static func setup(_ text: String, _ decoder: JSONDecoder, _ path: String) throws -> RunSetup {
    let setup = try? decoder.decode(RunSetup.self, from: Data(text.utf8))
    guard let setup, setup.passes.count <= mostFacts else {
      throw JournalError.damaged(path, "its description of the job's settings cannot be read")
    }
    return setup
  }

  /// Each fact that differs, with both values. From the file, only text that this program could
  /// have written is quoted: fact names of the current job, and short values.
  static func differences(_ old: JobIdentity, _ new: JobIdentity) -> [String] {
    func value(_ name: String, _ identity: JobIdentity) -> String? {
      identity.facts.first { $0.name == name }?.value
    }
    let names = old.facts.map(\.name)
    let added = new.facts.map(\.name).filter { !names.contains($0) }
    return (names + added).compactMap { name in
      let (was, now) = (value(name, old), value(name, new))
      guard was != now else { return nil }
      guard let now else { return "it has a fact that this job has not" }
      return "\(name): \(was.map(quoted) ?? "not recorded"), now \(now)"
    }
  }

  /// The beginning of a value, as programs' command lines are longer.
  private static func quoted(_ value: String) -> String {
    let isPlain = value.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "×"
        || (" "..."~").contains(scalar)
    }
    guard isPlain else { return "another value" }
    return value.count <= longestValue ? value : value.prefix(longestValue) + "…"
  }
}
