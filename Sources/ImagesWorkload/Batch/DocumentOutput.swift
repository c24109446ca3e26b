import Foundation
import SkyCatalog
import SkyFiles
import SkyNetCommand

/// The output for a batch's JSON documents: a file, which is written completely or not at all, or
/// standard output.
struct DocumentOutput {
  private let file: OutputFile?

  /// - Throws: `OutputFileError` if the file cannot be written.
  init(file: String?) throws {
    self.file = try file.map { try OutputFile(path: $0) }
  }

  /// Writes documents, one on each line. A file is complete when `body` returns, and unchanged if it
  /// throws; standard output gets each document as it comes.
  func write<Document: Encodable>(
    _ body: (_ append: @escaping (Document) throws -> Void) async throws -> Void
  ) async throws {
    guard let file else { return try await body { try StandardOutput.write(try Self.line($0)) } }
    try await file.write { append in try await body { try append(try Self.line($0)) } }
  }

  private static func line(_ document: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try encoder.encode(document) + Data("\n".utf8)
  }
}
