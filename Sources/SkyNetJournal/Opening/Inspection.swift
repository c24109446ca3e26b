import Foundation
import GRDB
import SkyNetCore

/// What is checked of a journal before anything in it is changed.
enum Inspection {
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
          + "settings again, or name another journal")
    }
  }

  /// Whether everything can be read, and is what was written.
  static func checkContents(_ db: Database, _ path: String) throws {
    let findings = try String.fetchAll(db, sql: "PRAGMA quick_check(1)")
    guard findings == ["ok"] else {
      throw JournalError.damaged(path, findings.first ?? "it cannot be checked")
    }
    try checkOutputs(db, path)
  }

  private static func checkOutputs(_ db: Database, _ path: String) throws {
    let rows = try Row.fetchCursor(db, sql: "SELECT task, output, checksum FROM result")
    while let row = try rows.next() {
      let task = Key(row: row[0]).task
      var output: String = row[1]
      guard output.withUTF8({ checksum(of: .init($0), for: task) }) == row[2] else {
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
    let text: String = row[0]
    guard let identity = try? JSONDecoder().decode(JobIdentity.self, from: Data(text.utf8)) else {
      throw JournalError.damaged(path, "what it says of its job cannot be read")
    }
    return (identity, row[1])
  }

  /// Each fact that is not the same, with both values.
  static func differences(_ old: JobIdentity, _ new: JobIdentity) -> [String] {
    func value(_ name: String, _ identity: JobIdentity) -> String? {
      identity.facts.first { $0.name == name }?.value
    }
    let names = old.facts.map(\.name)
    let added = new.facts.map(\.name).filter { !names.contains($0) }
    return (names + added).compactMap { name in
      let (was, now) = (value(name, old), value(name, new))
      return was == now ? nil : "\(name): \(was ?? "not told"), now \(now ?? "not told")"
    }
  }
}
