import Foundation
import SkyNetJournal
import Testing

@testable import SkyNetCLI

@Suite("Lines in a file")
struct LineWriterTests {
  private func inFile(_ test: (String, LineWriter) throws -> Void) throws {
    let path = NSTemporaryDirectory() + "skynet-lines-" + UUID().uuidString
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    try #require(descriptor >= 0)
    defer {
      close(descriptor)
      unlink(path)
    }
    try test(path, LineWriter(descriptor: descriptor, path: path))
  }

  @Test("A file that nothing else changes has all lines")
  func aFileThatIsLeftAloneHasThemAll() throws {
    try inFile { path, writer in
      for number in 1...3 {
        writer.write(line: "line \(number)")
        writer.flush()
      }
      writer.finish()
      #expect(writer.failure == nil)
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text == "line 1\nline 2\nline 3\n")
    }
  }

  @Test("A file that is deleted after the last line is a failure")
  func aFileThatIsDeletedAfterTheLastLineIsTold() throws {
    try inFile { path, writer in
      writer.write(line: "line")
      writer.flush()
      unlink(path)
      writer.finish()
      #expect(writer.failure == .lost(.deleted))
    }
  }

  /// Without the check the next line would be written at the file's old end, behind a hole.
  @Test("A truncated file is a failure before anything more is written")
  func aTruncatedFileIsToldBeforeItIsLongAgain() throws {
    try inFile { path, writer in
      writer.write(line: "line")
      writer.flush()
      #expect(truncate(path, 0) == 0)
      writer.write(line: "a longer line")
      writer.flush()
      #expect(writer.failure == .lost(.truncated(size: 0, written: 5)))
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text.isEmpty)
    }
  }
}
