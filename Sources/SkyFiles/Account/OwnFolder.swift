import Foundation

/// A folder that only this account can use, for sockets by which its processes on this machine find each other.
///
/// A name in it begins with the machine's id, as the folder may be on a disk that other machines have too.
final class OwnFolder: Sendable {
  private let descriptor: CInt
  private let machine: String

  /// The account's folders: the one for what runs, in the places where its sessions have it, and the one beside its
  /// key. A node of a session, one of a service and an engagement all find each other in one of them.
  ///
  /// - Parameter makes: whether those that are missing are made.
  static func all(_ environment: [String: String], makes: Bool = false) -> [OwnFolder] {
    let configuration =
      environment["XDG_CONFIG_HOME"].flatMap { $0.isAbsolutePath ? $0 : nil }
      ?? environment["HOME"].map { $0 + "/.config" }
    var seen: Set<FilePath> = []
    return [environment["XDG_RUNTIME_DIR"], "/run/user/\(geteuid())", configuration]
      .compactMap { $0 }.filter { $0.isAbsolutePath }
      .compactMap { below in
        // A folder for what runs is the system's to make.
        if makes, below == configuration { Self.make(below) }
        var status = stat()
        guard let place = FilePath.real(below), seen.insert(place).inserted,
          case let real = place.text, stat(real, &status) == 0, isOwn(status, mayOthersRead: true)
        else { return nil }
        // Nobody else can put a link into what is the account's.
        for folder in [real + "/skynet", real + "/skynet/doors"] where makes { Self.make(folder) }
        return OwnFolder(real + "/skynet/doors")
      }
  }

  private static func make(_ folder: String) {
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// - Returns: `nil` if it is another account's too, or if a symbolic link leads to it.
  init?(_ path: String) {
    guard let machine = Machine.id, let path = FilePath(path) else { return nil }
    self.machine = machine
    descriptor = path.openDirectory()
    guard descriptor >= 0 else { return nil }
    // From here on, `deinit` closes the descriptor.
    var status = stat()
    guard fstat(descriptor, &status) == 0, Self.isOwn(status, mayOthersRead: false) else {
      return nil
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Whether nobody but the account, and root, can use what is in it, or at least change it.
  private static func isOwn(_ status: stat, mayOthersRead: Bool) -> Bool {
    status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
      && status.st_mode & (mayOthersRead ? 0o022 : 0o077) == 0
  }

  /// Listens under a name of its own, and removes those that killed processes have left.
  func listen(as name: String) -> LocalSocket? {
    removeUnanswered()
    return LocalSocket(listeningAt: path(of: name))
  }

  /// Connects to the process that listens under a name.
  func connect(to name: String) -> LocalSocket? {
    LocalSocket(connectedTo: path(of: name), within: 2)
  }

  func remove(_ name: String) { unlinkat(descriptor, "\(machine)-\(name)", 0) }

  /// Through the descriptor: the folder's own path may be longer than a socket's may be.
  private func path(of name: String) -> String { "\(folder)/\(machine)-\(name)" }

  private var folder: String { "/proc/self/fd/\(descriptor)" }

  private func removeUnanswered() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where name.hasPrefix("\(machine)-") {
      if case .none = LocalSocket(connectedTo: "\(folder)/\(name)", within: 0),
        errno == ECONNREFUSED
      {
        unlinkat(descriptor, name, 0)
      }
    }
  }
}
