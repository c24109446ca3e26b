import Foundation
import SkyNetCore
import SkyNetJournal
import SkySQLite

/// A folder for one test, which is removed with the last reference.
final class Folder: Sendable {
  let path = NSTemporaryDirectory() + "skynet-journal-" + UUID().uuidString

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String = "run.sqlite") -> String { path + "/" + name }

  /// The contents of all files in the folder.
  func contents() throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    return try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(fileURLWithPath: file($0)))) }
    )
  }

  /// A copy of the files as they would be if the process that has them open died now.
  func afterDeath(of name: String = "run.sqlite") throws -> Folder {
    let copy = try Folder()
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: file(name) + suffix, toPath: copy.file() + suffix)
    }
    return copy
  }

  func open(
    _ identity: JobIdentity = .test, sectors: Int? = 10, retryFailed: Bool = false,
    setup: RunSetup? = nil,
    isReliable: @escaping @Sendable ([RunSetup.Input]) -> Bool = { _ in true },
    lockWait: @escaping @Sendable (String) -> LockWait = LockWait.forJournal
  ) async throws -> SQLiteJournal {
    try await SQLiteJournal.open(
      file(), for: identity, sectors: sectors, retryFailed: retryFailed, setup: setup,
      isReliable: isReliable, lockWait: lockWait)
  }
}

extension JobIdentity {
  static let test = JobIdentity([
    Fact("scan", "test/1"), Fact("sector size", "256"), Fact("sectors", "10"),
  ])
}

extension RunSetup {
  static let test = RunSetup(
    name: "test sky", passes: ["first", "second"], kind: ScanKind(name: "test", version: 1),
    settings: "{}")
}
