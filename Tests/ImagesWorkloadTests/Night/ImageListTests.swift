import Foundation
import SkyFiles
import Testing

@testable import ImagesWorkload

@Suite("Lists of images")
struct ImageListTests {
  private func list(_ text: String) throws -> ImageList {
    try ImageList(Data(text.utf8), list: "night.txt")
  }

  @Test("A list has a name a line, and after a tab a file of settings")
  func aListHasANameALine() throws {
    let list = try list(
      "# the night\r\n\nnight/a b.fits\r\nm.fits[CCD2]\tccd 2.sex\n  \t\n b.fits \n./#c.fits\t\nd.fits"
    )
    typealias Entry = ImageList.Entry
    #expect(
      list.entries == [
        Entry(name: "night/a b.fits", settings: nil, line: 3),
        Entry(name: "m.fits[CCD2]", settings: "ccd 2.sex", line: 4),
        Entry(name: " b.fits ", settings: nil, line: 6),
        Entry(name: "./#c.fits", settings: nil, line: 7),
        Entry(name: "d.fits", settings: nil, line: 8),
      ])
  }

  @Test("Names that Unicode calls equal are those of two files")
  func namesCount() throws {
    let names = ["caf\u{e9}.fits", "cafe\u{301}.fits"]
    let entries = try list(names.joined(separator: "\n")).entries
    #expect(entries.map { ExactText($0.name) } == names.map { ExactText($0) })
  }

  @Test("A byte order mark is no part of the first name")
  func aByteOrderMarkIsNoPartOfAName() throws {
    #expect(try list("\u{feff}a.fits\n").entries.map(\.name) == ["a.fits"])
    #expect(try list("\u{feff}# x\na.fits\n").entries.map(\.line) == [2])
  }

  @Test(
    "A fault is told with its line",
    arguments: [
      ([UInt8]("a.fits\nb.fits\na.fits\n".utf8), "line 3 a.fits is in line 1 already; "),
      ([UInt8]("a.fits\n\n\tx.sex\n".utf8), "line 3 has no image before its tab; "),
      ([UInt8]("a.fits\tx.sex\ty\n".utf8), "line 1 has more than one tab; "),
      ([UInt8]("#\na\u{0}.fits\n".utf8), "line 2 has a NUL character; "),
      ([UInt8]("a.fits\nb".utf8) + [0xff, 0x0a], "line 2 is not UTF-8; "),
      ([], "names no image; "), ([UInt8]("# nothing\n \n".utf8), "names no image; "),
    ])
  func aFaultIsToldWithItsLine(bytes: [UInt8], fault: String) {
    let error = #expect(throws: ImageListError.self) {
      try ImageList(Data(bytes), list: "night.txt")
    }
    #expect(error?.description.hasPrefix("night.txt: \(fault)") == true)
  }

  @Test("A list that is not there or is a folder is an error with the next step")
  func aListThatCannotBeReadIsAnError() {
    for (path, fault) in [("/none/list", "there is no such list"), ("/", "cannot be read")] {
      let error = #expect(throws: ImageListError.self) { try ImageList(path: path) }
      #expect(error?.description.contains(fault) == true)
      #expect(
        error?.description.contains("; check ") == true
          || error?.description.contains(": check ") == true)
    }
    #expect(
      ImageListError(list: "-", line: 2, fault: "x").description == "standard input: line 2 x")
  }

  @Test("A pipe is read to its end")
  func aPipeIsReadToItsEnd() throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data("a.fits\n".utf8))
    try pipe.fileHandleForWriting.close()
    let contents = try ImageList.contents(of: pipe.fileHandleForReading)
    #expect(contents == Data("a.fits\n".utf8))
    // A descriptor that is only written to cannot be read.
    #expect(throws: (any Error).self) { try ImageList.contents(of: Pipe().fileHandleForWriting) }
  }

  @Test("A hundred thousand names are read")
  func manyNamesAreRead() throws {
    let text = (0..<100_000).map { "night/frame-\($0).fits\n" }.joined()
    let clock = ContinuousClock()
    var list: ImageList?
    let time = try clock.measure { list = try self.list(text) }
    #expect(list?.entries.count == 100_000)
    print("100,000 names were read in \(time)")
  }
}
