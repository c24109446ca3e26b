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

  @Test("Sharing a file that others could use makes it the group's alone, with its keys")
  func mended() async throws {
    try await withFolder { folder in
      let file = KeyFile(path: folder + "/cluster.key")
      let keys = try file.share(with: group, keys: ClusterKeys.new)
      for (owner, group, mode) in [(0, 0, 0o640), (0, 0, 0o644), (1, 1, 0o660)] {
        #expect(chown(file.path, uid_t(owner), gid_t(group)) == 0)
        #expect(chmod(file.path, mode_t(mode)) == 0)
        #expect(throws: KeyError.self) { try file.readAll() }
        #expect(try file.share(with: self.group, keys: ClusterKeys.new) == keys)
        #expect(status(file.path).owner == 0 && status(file.path).mode == 0o640)
        #expect(try file.readAll() == keys)
      }
    }
  }

  @Test("What is refused names the command that mends it, with the file's own group")
  func commands() {
    let command = KeyFile.sharingCommand(group: getgrnam(group)?.pointee.gr_gid ?? 0)
    #expect(command == "sudo skynet key share --group \(group)")
    #expect(KeyFile.sharingCommand(group: 0) == "sudo skynet key share")
    let error = KeyError.open("/etc/skynet/cluster.key", mode: 0o644, sharing: command)
    #expect(error.description.contains("(mode 644)") && error.description.contains("`\(command)`"))
    #expect(!error.description.contains("chmod"))
  }

  @Test("An account that may not read it is told what it lacks")
  func strangers() {
    #expect(
      KeyFile.remedy(group: "skynet", isMember: false).contains("`sudo adduser $USER skynet`"))
    let member = KeyFile.remedy(group: "skynet", isMember: true)
    #expect(member.hasSuffix("log in again") && !member.contains("adduser"))
    // Root's own group would give an account more than a key.
    let unshared = KeyFile.remedy(group: nil, isMember: false)
    #expect(unshared.contains("`sudo skynet key share`") && !unshared.contains("USER root"))
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
