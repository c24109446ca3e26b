import Foundation
import Testing

/// Members that would pass for a node's own account, which may run any program there.
@Suite("Whoever is of a node's own account and machine, and whoever is not", .timeLimit(.ample))
struct ForgedAccountTests {
  /// As that of the project's images, which all containers of a host may have.
  private static let account: uid_t = 65532
  private static let unshare = "/usr/bin/unshare"
  private static let needs: Comment =
    "needs root, setpriv and unshare; the accounts 65531 and 65532 have to reach the program"

  @Sendable private static func isPossible() -> Bool {
    OtherAccount.isPossible(account, with: unshare)
  }

  /// A node of an account, and a folder that the account has on a disk which others see, too.
  private struct Target {
    let stage: Stage
    let node: RunningNode
    let home: String
    let shared: String
    let trace: String
    private let key: String

    init(_ stage: Stage) async throws {
      self.stage = stage
      key = try await stage.skynet("key", "show").end().output[0]
      (home, shared, trace) = (stage.file("home"), stage.file("shared"), stage.file("home/trace"))
      for folder in [home, home + "/run", shared] {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true,
          attributes: [.posixPermissions: 0o700, .ownerAccountID: Int(account)])
      }
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: stage.file(""))
      node = try await RunningNode(
        stage.launch(
          OtherAccount.setpriv,
          OtherAccount.become(account) + [Paths.binary]
            + ["node", "--name", "a", "--host", "127.0.0.1", "--no-discovery"],
          [
            "SKYNET_KEY": key, "HOME": home, "XDG_CONFIG_HOME": home + "/config",
            "XDG_RUNTIME_DIR": home + "/run",
          ]))
    }

    /// What becomes of a member that has a shell run on the node.
    ///
    /// - Parameter hasNamespaces: whether the member is in a container of its own, but for the network and the disk.
    func engage(
      as account: uid_t, folders: (home: String, run: String?), hasNamespaces: Bool = false
    ) async throws -> (status: Int32?, errors: [String], hasRun: Bool) {
      try? FileManager.default.removeItem(atPath: trace)
      let container = ["--mount", "--pid", "--fork", "--kill-child", OtherAccount.setpriv]
      var environment = [
        "SKYNET_KEY": key, "HOME": folders.home, "XDG_CONFIG_HOME": folders.home + "/config",
        "XDG_STATE_HOME": "/nowhere",
      ]
      environment["XDG_RUNTIME_DIR"] = folders.run ?? ""
      let story = try await stage.launch(
        hasNamespaces ? unshare : OtherAccount.setpriv,
        (hasNamespaces ? container : []) + OtherAccount.become(account) + [Paths.binary]
          + [
            "engage", "--no-discovery", "--no-local", "--wait-for", "1", "--wait-timeout", "120",
            "--peers", "127.0.0.1:\(node.port)", "--total", "1", "--", "/bin/sh", "-c",
            "touch \(trace); echo ran",
          ], environment
      ).end()
      return (story.status, story.errors, FileManager.default.fileExists(atPath: trace))
    }
  }

  @Test(
    "The same account on the same machine runs a program, by either of its folders",
    .enabled(needs, isPossible))
  func own() async throws {
    try await Stage.with { stage in
      let target = try await Target(stage)
      for folders in [
        (target.home, target.home + "/run"), (target.home, nil),
        (target.shared, target.home + "/run"),
      ] {
        let ending = try await target.engage(as: Self.account, folders: folders)
        #expect(ending.status == 0 && ending.hasRun, "\(ending.errors)")
      }
    }
  }

  @Test(
    "An account of the same number in another container is refused, with a folder of its own and with the node's",
    .enabled(needs, isPossible))
  func container() async throws {
    try await Stage.with { stage in
      let target = try await Target(stage)
      for folders in [
        (target.shared, target.shared), (target.home, target.home + "/run"), (target.home, nil),
      ] {
        let ending = try await target.engage(
          as: Self.account, folders: folders, hasNamespaces: true)
        #expect(ending.status == 2 && !ending.hasRun, "\(folders): \(ending.errors)")
        #expect(ending.errors.contains { $0.contains("--programs") }, "\(ending.errors)")
      }
    }
  }

  @Test(
    "Another account, and root, are refused with the node's own folders",
    .enabled(needs, isPossible), arguments: [0, 65531] as [uid_t])
  func otherAccount(account: uid_t) async throws {
    try await Stage.with { stage in
      let target = try await Target(stage)
      for folders in [(target.home, target.home + "/run"), (target.shared, target.shared)] {
        let ending = try await target.engage(as: account, folders: folders)
        #expect(ending.status == 2 && !ending.hasRun, "\(ending.errors)")
      }
    }
  }
}
