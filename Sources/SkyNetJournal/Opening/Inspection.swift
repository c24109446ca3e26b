import Foundation
import GRDB
import SkyNetCore

/// What is checked of a journal before anything in it is changed, or believed.
///
/// By then ``JournalReader`` has seen that its tables are a journal's, and no others.
enum Inspection {
  /// The most facts of a job, and what is told of one in a message.
  private static let mostFacts = 1000
  private static let longestValue = 64

  /// Whether the file is whole, and the job in it this one; a journal without a job is for any.
  ///
  /// - Throws: ``JournalError``.
  static func check(_ path: String, is identity: JobIdentity, sectors: Int) throws {
    let job = try JournalReader.read(path) { db in
      try checkContents(db, path)
      return try Self.job(db, path)
    }
    guard let job else { return }
    let differences = Self.differences(job.identity, identity)
    guard differences.isEmpty, job.sectors == sectors else {
      let all = differences.isEmpty ? ["sectors: \(job.sectors), now \(sectors)"] : differences
      throw JournalError(
        .otherJob, path,
        "it belongs to another job (\(all.joined(separator: "; "))): give the same image and "
          + "settings again, to the same version of the scan, or name another journal")
    }
  }

  /// Whether everything can be read, and is what was written.
  static func checkContents(_ db: Database, _ path: String) throws {
    let findings = try String.fetchAll(db, sql: "PRAGMA quick_check(1)")
    guard findings == ["ok"] else {
      // What it found may quote the file.
      throw JournalError.damaged(path, "SQLite finds its structure or its values broken")
    }
    try RowBounds.check(db, path: path)
    try checkOutputs(db, path)
    try GivenUp.check(db, path: path)
  }

  private static func checkOutputs(_ db: Database, _ path: String) throws {
    let rows = try Row.fetchCursor(db, sql: "SELECT task, output, checksum FROM result")
    while let row = try rows.next() {
      let task = Key(row: try row.value(0, path)).task
      var output: String = try row.value(1, path)
      let expected: Int = try row.value(2, path)
      guard output.withUTF8({ checksum(of: .init($0), for: task) }) == expected else {
        throw JournalError.damaged(path, "the output of sector \(task.sector) has changed")
      }
    }
  }

  static func job(
    _ db: Database, _ path: String
  ) throws -> (identity: JobIdentity, sectors: Int)? {
    guard let row = try Row.fetchOne(db, sql: "SELECT identity, sectors FROM job") else {
      return nil
    }
    let text: String = try row.value(0, path)
    let identity = try? JSONDecoder().decode(JobIdentity.self, from: Data(text.utf8))
    guard let identity, identity.facts.count <= mostFacts else {
      throw JournalError.damaged(path, "what it says of its job cannot be read")
    }
    return (identity, try row.value(1, path))
  }

  /// Each fact that is not the same, with both values. Of the file's no more is quoted than this
  /// program may have written: its own names for facts, and short values.
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
      return "\(name): \(was.map(quoted) ?? "not told"), now \(now)"
    }
  }

  private static func quoted(_ value: String) -> String {
    let isPlain = value.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || " .,:;+-×/()_".unicodeScalars.contains(scalar)
    }
    return isPlain && value.unicodeScalars.count <= longestValue ? value : "another value"
  }
}
