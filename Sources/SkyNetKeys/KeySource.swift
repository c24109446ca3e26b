import Foundation

/// Where a process gets its cluster key from.
package enum KeySource: Hashable, Sendable {
  /// This account's own file, which is made when it is first needed.
  case own(KeyFile)
  /// The machine's file, which root makes (`skynet key share`) for a group of accounts that share its key.
  case shared(KeyFile)
  /// A file that was named by `--key-file` or `SKYNET_KEY_FILE`.
  case named(KeyFile)
  /// The environment variable `SKYNET_KEY`, for containers.
  case environment(ClusterKeys)

  /// Finds the source, in this order: `file`, `SKYNET_KEY`, the file that `SKYNET_KEY_FILE` names, the machine's
  /// shared file if this account may read it, and this account's own file, `skynet/cluster.key` in
  /// `$XDG_CONFIG_HOME` or `~/.config`.
  ///
  /// The shared file comes before the account's own, so that an account is in one cluster with the machine's
  /// node from the moment that it is in the group, also if it made a key of its own before.
  ///
  /// - Throws: ``KeyError``.
  package static func find(
    file: String? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment,
    shared: KeyFile = .shared
  ) throws -> KeySource {
    if let file {
      guard !file.isEmpty else {
        throw KeyError(.environment, "--key-file is empty, but a file's name is needed")
      }
      return .named(KeyFile(path: file))
    }
    // An empty variable is how a container's manifest says "not set".
    let key = environment["SKYNET_KEY"].flatMap { $0.isEmpty ? nil : $0 }
    let path = environment["SKYNET_KEY_FILE"].flatMap { $0.isEmpty ? nil : $0 }
    switch (key, path) {
    case (_?, _?):
      throw KeyError(.environment, "SKYNET_KEY and SKYNET_KEY_FILE are both set: unset one")
    case (let key?, nil):
      do {
        return .environment(try ClusterKeys(text: key))
      } catch let error as KeyError {
        throw KeyError(error.code, "SKYNET_KEY: \(error)")
      }
    case (nil, let path?): return .named(KeyFile(path: path))
    case (nil, nil):
      return shared.access == .readable ? .shared(shared) : .own(try ownFile(environment))
    }
  }

  /// Overwrites the key in this process's own environment, where every process of the account can read it for as long as
  /// this one runs (`/proc/PID/environ`). Call it when the key was read, as ``find(file:environment:shared:)`` finds
  /// none there afterwards.
  package static func clearEnvironment() {
    guard let value = getenv("SKYNET_KEY") else { return }
    memset(value, 0, strlen(value))
    unsetenv("SKYNET_KEY")
  }

  /// The file that holds the key; `nil` if the key is in the environment.
  package var file: KeyFile? {
    switch self {
    case .own(let file), .shared(let file), .named(let file): file
    case .environment: nil
    }
  }

  /// Reads the keys, or makes this account's own if there is none yet.
  ///
  /// - Returns: the keys, and whether they are new.
  /// - Throws: ``KeyError``.
  package func readOrMake() throws -> (keys: ClusterKeys, isNew: Bool) {
    switch self {
    case .own(let file): try file.readOrMake()
    case .shared(let file), .named(let file): (try file.readAll(), false)
    case .environment(let keys): (keys, false)
    }
  }

  /// Reads the keys as they are now, and makes none.
  ///
  /// - Throws: ``KeyError``.
  package func readAgain() throws -> ClusterKeys {
    switch self {
    case .own(let file), .shared(let file), .named(let file):
      do {
        return try file.readAll()
      } catch let error as KeyError where error.code == .notFound {
        throw KeyError.vanished(file.path)
      }
    case .environment(let keys): return keys
    }
  }

  /// The directories that a key may be in when none is named: this account's, if there is a place for one, and the
  /// machine's.
  package static func directories(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> [String] {
    let own = (try? configurationDirectory(environment)).map { $0 + "/skynet" }
    return [own, KeyFile.sharedDirectory].compactMap { $0 }
  }

  /// This account's own file, whether or not it is the source.
  package static func ownFile(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> KeyFile {
    KeyFile(path: try configurationDirectory(environment) + "/skynet/cluster.key")
  }

  private static func configurationDirectory(_ environment: [String: String]) throws -> String {
    // The XDG Base Directory Specification says to ignore a path that is not absolute.
    if let configuration = environment["XDG_CONFIG_HOME"],
      configuration.utf8.first == UInt8(ascii: "/")
    {
      return configuration
    } else if let home = environment["HOME"], home.utf8.first == UInt8(ascii: "/") {
      return home + "/.config"
    } else {
      throw KeyError(
        .environment,
        "HOME is not set, so there is no place for the cluster key: set it, name a file with "
          + "--key-file or SKYNET_KEY_FILE, or give the key itself in SKYNET_KEY")
    }
  }
}
