import Foundation
import SkyCatalog
import SkyFITS
import SkyFiles
import SkyNetCommand

/// The images of `--images LIST`: one a line, as the shell would name them. After a tab a line may
/// name a file of SExtractor's settings for that image alone. Blank lines and lines that begin with
/// `#` are passed over.
struct ImageList: Equatable {
  struct Entry: Equatable {
    /// The image as ``ImageName`` reads it: a file, and perhaps an extension in brackets.
    let name: String
    /// The file with this image's settings.
    let settings: String?
    /// The line's number, from 1.
    let line: Int
  }

  let entries: [Entry]
  /// The list's file as it was when it was opened; `nil` of standard input.
  private(set) var opened: OpenedFile?

  /// More than any list of images: a device under the name would give bytes without end.
  private static let mostBytes = 1 << 28

  /// Reads a list. Blocks the thread.
  ///
  /// - Parameter path: the list's file, or `-` for standard input.
  /// - Throws: ``ImageListError``.
  init(path: String) throws(ImageListError) {
    let (contents, opened): (Data, OpenedFile?)
    do {
      (contents, opened) =
        try path == "-"
        ? (Self.contents(of: .standardInput), nil) : SmallFile.read(path, most: Self.mostBytes)
    } catch {
      throw ImageListError(list: path, fault: Self.fault(of: error, path))
    }
    try self.init(contents, list: path)
    self.opened = opened
  }

  /// Reads a list's text.
  ///
  /// - Parameter list: the list's name, for errors.
  /// - Throws: ``ImageListError``.
  init(_ contents: Data, list: String) throws(ImageListError) {
    let fault: (line: Int, text: String)?
    (entries, fault) = contents.withUnsafeBytes { Self.entries(of: $0) }
    if let fault { throw ImageListError(list: list, line: fault.line, fault: fault.text) }
    guard !entries.isEmpty else {
      throw ImageListError(list: list, fault: "names no image; write one a line")
    }
  }

  private typealias Fault = (line: Int, text: String)

  /// The entries up to the first fault.
  private static func entries(of bytes: UnsafeRawBufferPointer) -> ([Entry], Fault?) {
    var entries: [Entry] = []
    var lines: [ExactText: Int] = [:]
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    var start = bytes.starts(with: mark) ? mark.count : 0
    var number = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      var line = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
      start = end + 1
      number += 1
      if line.last == UInt8(ascii: "\r") { line = .init(rebasing: line.dropLast()) }
      guard line.first != UInt8(ascii: "#"), line.contains(where: { $0 != 0x20 && $0 != 0x09 })
      else { continue }
      let entry: Entry
      switch self.entry(of: line, number) {
      case .success(let success): entry = success
      case .failure(let failure): return (entries, (number, failure.text))
      }
      if let other = lines.updateValue(number, forKey: ExactText(entry.name)) {
        return (
          entries, (number, "\(entry.name) is in line \(other) already; leave out one of the two")
        )
      }
      entries.append(entry)
    }
    return (entries, nil)
  }

  private struct LineFault: Error { let text: String }

  private static func entry(
    of line: UnsafeRawBufferPointer, _ number: Int
  ) -> Result<Entry, LineFault> {
    guard !line.contains(0) else {
      return .failure(
        LineFault(text: "has a NUL character; the list must be a text, with one name a line"))
    }
    guard let text = String(validating: line, as: UTF8.self) else {
      return .failure(LineFault(text: "is not UTF-8; save the list in that encoding"))
    }
    guard let tab = text.utf8.firstIndex(of: 0x09) else {
      return .success(Entry(name: text, settings: nil, line: number))
    }
    let (name, settings) = (text[..<tab], text[text.utf8.index(after: tab)...])
    guard !name.isEmpty else {
      return .failure(LineFault(text: "has no image before its tab; write the image there"))
    }
    guard !settings.utf8.contains(0x09) else {
      return .failure(
        LineFault(
          text: "has more than one tab; write the image, a tab, and a file with its settings"))
    }
    return .success(
      Entry(
        name: String(name), settings: settings.isEmpty ? nil : String(settings), line: number))
  }

  /// All that a pipe gives, up to the limit.
  static func contents(of pipe: FileHandle) throws(SmallFile.Failure) -> Data {
    var contents = Data()
    while contents.count <= mostBytes {
      let part: Data?
      do {
        part = try pipe.read(upToCount: 1 << 20)
      } catch {
        throw .unreadable
      }
      guard let part, !part.isEmpty else { return contents }
      contents += part
    }
    throw .tooLarge
  }

  private static func fault(of failure: SmallFile.Failure, _ path: String) -> String {
    switch failure {
    case .absent:
      { "\($0.fault); \($0.nextStep)" }(
        OddName.absence(of: path, or: ("there is no such list", "check its path")))
    case .unreadable: "the list cannot be read; check that it is a file that you may read"
    case .tooLarge: "is no list of images: it has more than \(mostBytes >> 20) MiB"
    }
  }
}

/// What is wrong with a list of images.
struct ImageListError: Error, Hashable, CustomStringConvertible {
  /// The list as it was named; `-` is standard input.
  let list: String
  /// The line's number, from 1; `nil` if the whole list is meant.
  var line: Int?
  /// The fault and the next step, as the rest of a sentence that begins with the list's name.
  let fault: String

  var description: String {
    let name = list == "-" ? "standard input" : list
    return line.map { "\(name): line \($0) \(fault)" } ?? "\(name): \(fault)"
  }
}
