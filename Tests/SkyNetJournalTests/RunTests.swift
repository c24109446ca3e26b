import Foundation
import GRDB
import SkyNetCluster
import SkyNetCore
import TestSupport
import Testing

@testable import SkyNetJournal

/// What a journal tells of its run as a whole.
@Suite("The run of a journal, and its systems", .inTurn)
struct RunTests {
  private func changes(_ folder: Folder) throws -> [Row] {
    let database = try DatabaseQueue(path: folder.file())
    defer { try? database.close() }
    return try database.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT change, process, name, incarnation, at, address, slots, version, seconds
          FROM presence JOIN system ON system.number = presence.system ORDER BY presence.number
          """)
    }
  }

  @Test("Each process that continues a run has the run's id")
  func theRunKeepsItsID() async throws {
    let folder = try Folder()
    let first = try await folder.open()
    let remains = try folder.afterDeath()
    await first.close()
    let second = try await remains.open()
    #expect(second.run == first.run)
    await second.close()
    let another = try Folder()
    let other = try await another.open()
    #expect(other.run != first.run)
    await other.close()
  }

  @Test("Changes of systems are recorded with their process, system and time")
  func changesAreRecorded() async throws {
    let folder = try Folder()
    let journal = try await folder.open(setup: .test)
    let system = Incarnation()
    let begin = Date().timeIntervalSince1970
    journal.changed(system, .connected(address: "[::1]:4001", slots: 3, version: "9"))
    journal.changed(system, .silent(seconds: 2.5))
    journal.changed(system, .heard)
    journal.changed(system, .disconnected(reason: String(repeating: "x", count: 2 << 20)))
    await journal.close()
    let rows = try changes(folder)
    func texts(_ column: String) -> [String?] { rows.map { $0[column] } }
    #expect(texts("change") == ["connected", "silent", "heard", "disconnected"])
    #expect(rows.map { $0["process"] as Int } == [1, 1, 1, 1])
    #expect(texts("incarnation") == Array(repeating: "\(system)", count: 4))
    #expect(texts("name") == Array(repeating: "a", count: 4))
    #expect(texts("address") == ["[::1]:4001", nil, nil, nil])
    #expect(texts("version") == ["9", nil, nil, nil])
    #expect(rows.map { $0["slots"] as Int? } == [3, nil, nil, nil])
    #expect(rows.map { $0["seconds"] as Double? } == [nil, 2.5, nil, nil])
    let times = rows.map { $0["at"] as Double }
    #expect(times.allSatisfy { abs($0 - begin) < 60 })
    // A reason without end is cut, so that the journal can be read.
    _ = try Overview.read(folder.file(), failures: 0)
  }
}
