import Foundation

/// An absolute path without empty names, `.` and `..`.
package struct FilePath: Hashable, Sendable {
  private let names: [ExactText]

  package static let root = FilePath(names: [ExactText]())

  private init(names: [ExactText]) { self.names = names }

  private init(names: [String]) { self.names = names.map { ExactText($0) } }

  /// - Returns: `nil` unless the text is such a path: it may come from anywhere.
  package init?(_ text: String) {
    guard text.isAbsolutePath, !text.utf8.contains(0) else { return nil }
    let names = text.pathNames(omitsEmpty: false).dropFirst()
    guard names.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else { return nil }
    self.init(names: Array(names))
  }

  /// The path of a name that people give, from the current directory on. Symbolic links stay in it.
  ///
  /// - Returns: `nil` if the name has a `..`, which would depend on what the links lead to.
  package init?(absolute name: String) {
    let text =
      name.isAbsolutePath ? name : FileManager.default.currentDirectoryPath + "/" + name
    let names = text.pathNames().filter { $0 != "." }
    guard !names.contains("..") else { return nil }
    self.init(names: names)
  }

  /// The path of what exists under this name, without symbolic links; `nil` if nothing does.
  package static func real(_ name: String) -> FilePath? {
    guard let real = realpath(name, nil) else { return nil }
    defer { free(real) }
    return FilePath(names: String(cString: real).pathNames())
  }

  package var text: String { "/" + Self.joined(names) }

  private static func joined(_ names: some Sequence<ExactText>) -> String {
    names.map(\.text).joined(separator: "/")
  }

  /// Whether the path leads to something in that directory, or in one below it.
  package func isBelow(_ directory: FilePath) -> Bool {
    names.count > directory.names.count && names.starts(with: directory.names)
  }

  /// The path from a directory on, which it must be below.
  package func text(below directory: FilePath) -> String {
    Self.joined(names.dropFirst(directory.names.count))
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
      Self.joined(names), beneath: root, flags: O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  }
}
