import Foundation

/// A file of lines that a workload writes while its run goes on, such as a table.
package struct LineOutput: Sendable {
  private let flag: String
  private let path: String
  private let writer: LineWriter

  /// Opens the file. What an earlier run wrote stays in it until ``begin()``. `-` is standard output.
  ///
  /// - Parameter flag: the option that names the file, without its dashes.
  /// - Throws: an error with the reason if the file cannot be written, or another run writes to it.
  package init(_ path: String, flag: String) throws {
    (self.path, self.flag) = (path, flag)
    let file = try LineFile.open(path, flag: flag)
    writer = LineWriter(descriptor: file.descriptor, path: file.path, isData: true)
  }

  /// Empties the file of what an earlier run wrote to it. Only the first call does something.
  package func begin() { writer.begin() }

  /// Takes a line, without the byte that ends it. It never waits.
  package func write(_ line: String) { writer.write(line: line) }

  /// Whether ``waitForRoom()`` has something to do.
  package var isBehind: Bool { writer.isBehind }
  package func waitForRoom() async { await writer.waitForRoom() }

  /// Writes lines as they come, until cancelled.
  package func run() async { await writer.run() }

  /// Writes the remaining lines.
  ///
  /// - Throws: an error with the reason if a line could not be written, or the file was replaced or truncated.
  package func finish() throws {
    writer.finish()
    if let failure = writer.failure { throw OutputError(flag: flag, path: path, failure: failure) }
  }
}
