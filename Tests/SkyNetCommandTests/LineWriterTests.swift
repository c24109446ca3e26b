import Foundation
import SkyNetJournal
import Testing

@testable import SkyNetCommand

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
    try test(path, LineWriter(descriptor: descriptor, path: path, isData: true))
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

  @Test(
    "What a reader of lines does not take is dropped, first the lines of which there are many, and counted"
  )
  func unreadLinesAreDropped() throws {
    let pipe = Pipe()
    let writer = LineWriter(
      descriptor: pipe.fileHandleForWriting.fileDescriptor, isData: false)
    func report(_ count: Int) -> String { "\(count) dropped" }
    func write(_ text: String, isBulk: Bool = false) {
      writer.write(isBulk: isBulk, reportingDropped: report) { bytes in
        bytes.append(contentsOf: (text + "\n").utf8)
      }
    }
    let long = String(repeating: "x", count: 1 << 20)
    write(long)
    // It gives the reader up, which has taken a part of the line.
    writer.flush()
    write(long)
    write("bulk", isBulk: true)
    write("bulk", isBulk: true)
    write("kept")
    write("last", isBulk: true)
    DispatchQueue.global().async {
      writer.flush()
      try? pipe.fileHandleForWriting.close()
    }
    let all = try #require(try pipe.fileHandleForReading.readToEnd())
    let lines = String(decoding: all, as: UTF8.self).split(separator: "\n")
    #expect(lines.map { $0.prefix(9) } == ["xxxxxxxxx", "xxxxxxxxx", "2 dropped", "kept"])
    #expect(writer.finish() == 3)
  }

  @Test("Data are not dropped")
  func dataAreNotDropped() throws {
    let pipe = Pipe()
    let writer = LineWriter(
      descriptor: pipe.fileHandleForWriting.fileDescriptor, isData: true)
    let line = String(repeating: "x", count: 999)
    for _ in 0..<4000 { writer.write(line: line) }
    DispatchQueue.global().async {
      writer.flush()
      try? pipe.fileHandleForWriting.close()
    }
    #expect(try pipe.fileHandleForReading.readToEnd()?.count == 4_000_000)
    #expect(writer.finish() == 0 && writer.failure == nil)
  }
}
