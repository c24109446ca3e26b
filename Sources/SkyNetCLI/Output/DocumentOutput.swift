import Foundation
import SkyCatalog

/// The output for a batch's JSON document: a file, which is written completely or not at all, or
/// standard output.
struct DocumentOutput {
  private let file: OutputFile?

  /// - Throws: `OutputFileError` if the file cannot be written.
  init(file: String?) throws {
    self.file = try file.map { try OutputFile(path: $0) }
  }

  func write(_ document: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(document) + Data("\n".utf8)
    guard let file else { return try StandardOutput.write(data) }
    try file.write(data)
  }
}

/// Reads a batch's document.
///
/// - Parameter most: how many bytes the document may have.
/// - Throws: ``DocumentError``.
func readDocument<Document: Decodable>(
  _ path: String, as _: Document.Type, most: Int
) throws -> Document {
  let data: Data
  do {
    data = try SmallFile.contents(of: path, most: most)
  } catch .absent {
    throw DocumentError(path: path, fault: "there is no such file", nextStep: "check its path")
  } catch .unreadable {
    throw DocumentError(path: path, fault: "cannot be read", nextStep: "check its permissions")
  } catch .tooLarge {
    throw DocumentError(
      path: path, fault: "has more than \(most) bytes, the most for this image",
      nextStep: "make it again; skynet scan --help lists the steps")
  }
  do {
    return try JSONDecoder().decode(Document.self, from: data)
  } catch {
    throw DocumentError(
      path: path,
      fault: data.isEmpty ? "is empty" : "is not a document that skynet writes for this step",
      nextStep: "make it again; skynet scan --help lists the steps")
  }
}

/// A batch's document that cannot be used.
struct DocumentError: Error, CustomStringConvertible {
  let path: String
  let fault: String
  let nextStep: String

  var description: String { "\(path): \(fault); \(nextStep)" }
}
