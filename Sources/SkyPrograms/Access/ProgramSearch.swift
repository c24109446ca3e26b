import Foundation

/// Where programs are.
package enum ProgramSearch {
  /// The file that a program's name means on this system.
  ///
  /// - Parameter name: with a slash in it, the file's path; otherwise it is looked for in the folders of this process's
  ///   PATH. Those that are relative are passed over.
  /// - Returns: `nil` if there is no such file, or it may not be executed.
  package static func path(of name: String) -> String? {
    guard !name.contains("/") else { return isExecutable(name) ? name : nil }
    guard !name.isEmpty, let folders = getenv("PATH") else { return nil }
    return String(cString: folders).split(separator: ":").lazy
      .filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }.first(where: isExecutable)
  }

  private static func isExecutable(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
