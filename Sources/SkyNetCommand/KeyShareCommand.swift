import ArgumentParser
import Logging
import SkyNetKeys

extension KeyCommand {
  /// Makes the accounts of a group on this machine members of one cluster.
  struct Share: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "share", abstract: "Let a group of this machine's accounts share one key.",
      discussion: """
        Root runs it. The key is then in /etc/skynet/cluster.key, with mode 640, and counts for every \
        account that is in the group, in place of its own. Root changes it for all: `sudo \(Program.name) key \
        import`, `add`, `retire`, `new`, and `sudo \(Program.name) join` write that file.

        If there is no such file, it gets root's own key, or a new one if root has none. A file that is \
        there keeps its key, and becomes root's and the group's again. The Debian package makes the file \
        when it is installed, and leaves one that is there as it is.
        """)

    @Option(
      help: ArgumentHelp("The group whose accounts share the key. (default: skynet)"))
    var group = KeyFile.sharingGroup

    @Option(
      help: ArgumentHelp(
        "Share this file instead; SKYNET_KEY_FILE leads accounts to it. "
          + "(default: /etc/skynet/cluster.key)", valueName: "file"))
    var keyFile: String?

    func run() throws {
      try orFail {
        let file = keyFile.map { KeyFile(path: $0) } ?? .shared
        let wasOpen = Self.isOpen(file)
        let keys = try file.share(with: group, keys: Self.keysToShare)
        let console = Console.standardError
        if wasOpen {
          let option = keyFile.map { " --key-file '\($0)'" } ?? ""
          console.line(
            "others could use \(file.path) until now: if they have seen it, "
              + "`sudo \(Program.name) key new\(option)` replaces it", level: .warning)
        }
        console.line(KeyCommand.holding(keys, in: file))
        console.line("the group \(group) shares it: sudo adduser NAME \(group)")
      }
    }

    private static func isOpen(_ file: KeyFile) -> Bool {
      do {
        _ = try file.readAll()
        return false
      } catch {
        return (error as? KeyError)?.code == .open
      }
    }

    /// Root's own, so that a machine that is a member stays one; or new ones.
    private static func keysToShare() throws -> ClusterKeys {
      do {
        return try KeySource.ownFile().readAll()
      } catch let error as KeyError where error.code == .notFound || error.code == .environment {
        return ClusterKeys(ClusterKey())
      }
    }
  }
}
