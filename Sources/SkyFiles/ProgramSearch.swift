import Foundation

/// Where programs are.
package enum ProgramSearch {
  /// The file that a program's name means on this system.
  ///
  /// - Parameters:
  ///   - name: with a slash in it, the file's path; otherwise it is looked for in the folders. Those that are relative,
  ///     or empty, are passed over: what lies in the current folder may be anybody's.
  ///   - folders: as PATH has them, by default this process's.
  /// - Returns: `nil` if there is no such file, or it may not be executed.
  package static func path(
    of name: String, in folders: String? = getenv("PATH").map { String(cString: $0) }
  ) -> String? {
    guard !name.hasSlash else { return isExecutable(name) ? name : nil }
    guard !name.isEmpty, let folders else { return nil }
    return folders.split(separator: ":").lazy
      .filter { $0.isAbsolutePath }.map { "\($0)/\(name)" }.first(where: isExecutable)
  }

  private static func isExecutable(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
