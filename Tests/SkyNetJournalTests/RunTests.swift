import Foundation
import SkyNetCluster
import SkyNetCore
import SkySQLite
import Testing

@testable import SkyNetJournal

/// What a journal tells of its run as a whole.
@Suite("The run of a journal, and its systems")
struct RunTests {
  /// A column of all changes, in their order.
  private func column<Value: SQLiteValue>(_ name: String, _ folder: Folder) throws -> [Value] {
    try Database(folder.file(), isReadOnly: true).rows(
      """
      SELECT \(name) FROM presence JOIN system ON system.number = presence.system
      ORDER BY presence.number
      """
    ).map { try $0[0] }
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
    func texts(_ name: String) throws -> [String?] { try column(name, folder) }
    #expect(try texts("change") == ["connected", "silent", "heard", "disconnected"])
    #expect(try column("process", folder) == [1, 1, 1, 1])
    #expect(try texts("incarnation") == Array(repeating: "\(system)", count: 4))
    #expect(try texts("name") == Array(repeating: "a", count: 4))
    #expect(try texts("address") == ["[::1]:4001", nil, nil, nil])
    #expect(try texts("version") == ["9", nil, nil, nil])
    #expect(try column("slots", folder) as [Int?] == [3, nil, nil, nil])
    #expect(try column("seconds", folder) as [Double?] == [nil, 2.5, nil, nil])
    let times: [Double] = try column("at", folder)
    #expect(times.allSatisfy { abs($0 - begin) < 60 })
    // A reason without end is cut, so that the journal can be read.
    _ = try Overview.read(folder.file(), failures: 0)
  }
}
