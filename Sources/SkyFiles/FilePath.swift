import Foundation

/// An absolute path without empty names, `.` and `..`.
package struct FilePath: Hashable, Sendable {
  package let names: [Substring]

  package static let root = FilePath(names: [])

  private init(names: [Substring]) {
    self.names = names
  }

  /// - Returns: `nil` unless the text is such a path: it may come from anywhere.
  package init?(_ text: String) {
    guard text.hasPrefix("/"), !text.utf8.contains(0) else { return nil }
    let names = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    guard names.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else { return nil }
    self.names = names
  }

  /// The path of a name that people give, from the current directory on. Symbolic links stay in it.
  ///
  /// - Returns: `nil` if the name has a `..`, which would depend on what the links lead to.
  package init?(absolute name: String) {
    let text =
      name.hasPrefix("/") ? name : FileManager.default.currentDirectoryPath + "/" + name
    let names = text.split(separator: "/").filter { $0 != "." }
    guard !names.contains("..") else { return nil }
    self.names = names
  }

  /// The path of what exists under this name, without symbolic links; `nil` if nothing does.
  package static func real(_ name: String) -> FilePath? {
    guard let real = realpath(name, nil) else { return nil }
    defer { free(real) }
    return FilePath(names: String(cString: real).split(separator: "/"))
  }

  package var text: String { "/" + names.joined(separator: "/") }

  /// Whether the path leads to something in that directory, or in one below it.
  package func isBelow(_ directory: FilePath) -> Bool {
    names.count > directory.names.count && names.starts(with: directory.names)
  }

  /// The same place below another directory than this one, which it must be below.
  package func moved(from directory: FilePath, to other: FilePath) -> FilePath {
    FilePath(names: other.names + names.dropFirst(directory.names.count))
  }
}

extension FilePath {
  /// Opens the directory, and follows no symbolic link to it.
  ///
  /// - Returns: a descriptor, or a negative number.
  package func openDirectory() -> CInt {
    let root = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard root >= 0, !names.isEmpty else { return root }
    defer { close(root) }
    return FileSystemCalls.open(
      names.joined(separator: "/"), beneath: root, flags: O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  }
}
