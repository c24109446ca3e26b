import Foundation
import Testing

/// Writes files over while other processes use them.
enum WrittenOver {
  /// Writes a file's contents over another one's, from a byte on, in place: the file keeps its number.
  ///
  /// - Parameter keepsTime: whether the modification time is put back, as `touch -r` does.
  static func overwrite(
    _ path: String, with other: String, from start: Int = 0, keepsTime: Bool = false
  ) throws {
    try change(path, keepsTime: keepsTime) { file in
      let contents = try Data(contentsOf: URL(fileURLWithPath: other))
      try file.seek(toOffset: UInt64(start))
      try file.write(contentsOf: contents.dropFirst(start))
    }
  }

  /// Changes a file in place.
  static func change(
    _ path: String, keepsTime: Bool = false, _ body: (FileHandle) throws -> Void
  ) throws {
    var before = stat()
    try #require(stat(path, &before) == 0)
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try body(file)
    try file.close()
    guard keepsTime else { return }
    var times = [before.st_atim, before.st_mtim]
    try #require(utimensat(AT_FDCWD, path, &times, 0) == 0)
  }
}

extension RunningEngagement {
  /// Lets the run complete some sectors, and does something while its process stands still.
  func whileStopped(after count: Int, by system: String, _ body: () throws -> Void) async throws {
    try await standStill(after: count, by: system)
    try body()
    process.send(SIGCONT)
  }
}
