import Foundation
import SkyNetKeys
import Testing

/// The file by which the accounts of a machine share a key. Root makes it, so root tests it.
@Suite("A key that a machine's accounts share", .enabled(if: geteuid() == 0, "needs root"))
struct KeySharingTests {
  /// A group that every Debian has, and that has no members of its own.
  private let group = "nogroup"

  private func status(_ path: String) -> (owner: uid_t, group: gid_t, mode: Int) {
    var status = stat()
    #expect(stat(path, &status) == 0)
    return (status.st_uid, status.st_gid, Int(status.st_mode) & 0o7777)
  }

  @Test("It is root's, and its group may read it; sharing it again changes no key")
  func made() async throws {
    try await withFolder { folder in
      let file = KeyFile(path: folder + "/etc/cluster.key")
      let keys = ClusterKeys.new()
      let first = try file.share(with: group, keys: { keys })
      #expect(first == keys)
      let made = status(file.path)
      #expect(made.owner == 0 && made.group == getgrnam(group)?.pointee.gr_gid)
      #expect(made.mode == 0o640 && status(folder + "/etc").mode == 0o755)
      #expect(try file.readAll() == keys)
      #expect(chmod(file.path, 0o600) == 0)
      #expect(try file.share(with: group, keys: ClusterKeys.new) == keys)
      #expect(status(file.path).mode == 0o640)
    }
  }

  @Test("A change of the key leaves it shared, and what is kept is root's alone")
  func changed() async throws {
    try await withFolder { folder in
      let file = KeyFile(path: folder + "/cluster.key")
      try file.share(with: group, keys: ClusterKeys.new)
      let before = status(file.path)
      let old = try #require(try file.replace(with: .new()))
      #expect(status(file.path) == before)
      #expect(status(old.path).mode == 0o600)
    }
  }

  @Test("Root's own group has such a file by mistake, and one that the group can write is refused")
  func mistaken() async throws {
    try await withFolder { folder in
      let file = KeyFile(path: folder + "/cluster.key")
      try file.share(with: group, keys: ClusterKeys.new)
      #expect(chmod(file.path, 0o660) == 0)
      #expect(throws: KeyError.self) { try file.readAll() }
      #expect(chown(file.path, 0, 0) == 0 && chmod(file.path, 0o640) == 0)
      #expect(throws: KeyError.self) { try file.readAll() }
    }
  }

  @Test("There has to be a group, and a file with a key stays what it is without one")
  func noGroup() async throws {
    try await withFolder { folder in
      let file = KeyFile(path: folder + "/cluster.key")
      let error = #expect(throws: KeyError.self) {
        try file.share(with: "no-such-group", keys: ClusterKeys.new)
      }
      #expect(error?.description.contains("addgroup --system no-such-group") == true)
      #expect(file.access == .missing)
    }
  }

  @Test("Who may read it uses it, and a note tells of the account's own")
  func counts() async throws {
    try await withFolder { folder in
      let home = ["HOME": folder]
      let shared = KeyFile(path: folder + "/etc/cluster.key")
      let own = try KeySource.ownFile(home)
      #expect(try KeySource.find(environment: home, shared: shared) == .own(own))
      try shared.share(with: group, keys: ClusterKeys.new)
      let source = try KeySource.find(environment: home, shared: shared)
      #expect(source == .shared(shared))
      #expect(source.sharingNote(own: own, shared: shared) == nil)
      try own.replace(with: .new())
      #expect(source.sharingNote(own: own, shared: shared)?.contains(own.path) == true)
      try own.replace(with: try shared.readAll())
      #expect(source.sharingNote(own: own, shared: shared) == nil)
    }
  }
}
