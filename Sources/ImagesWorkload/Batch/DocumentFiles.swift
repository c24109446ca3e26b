import Foundation
import SkyCatalog
import SkyFITS
import SkyFiles
import SkyNetCommand
import SkyScan

/// Reads the sectors' documents in files, each of which has one document on each line. At most one
/// document is in memory.
struct DocumentFiles {
  private var paths: ArraySlice<String>
  private let most: Int
  private var file: (path: String, lines: LineReader, count: Int)?
  /// The files that were opened by now, as they were then.
  private(set) var opened: [OpenedFile] = []

  /// - Parameter most: how many bytes a document may have.
  init(_ paths: [String], most: Int) {
    self.paths = paths[...]
    self.most = most
  }

  /// The next document, and its place for errors: the file's path, and from the second line on the
  /// line's number. `nil` after the last document.
  ///
  /// - Throws: ``DocumentError``.
  mutating func next() throws -> (name: String, document: SectorDocument)? {
    while true {
      guard var file else {
        guard let path = paths.popFirst() else { return nil }
        do {
          let lines = try LineReader(path, most: most)
          if let file = lines.opened { opened.append(file) }
          self.file = (path, lines, 0)
        } catch {
          throw DocumentError(path, error, "")
        }
        continue
      }
      file.count += 1
      let name = file.count == 1 ? file.path : "\(file.path):\(file.count)"
      let line: Data?
      do {
        line = try file.lines.next()
      } catch {
        throw DocumentError(
          name, error, "has more than \(most) bytes in a line, the most for this image")
      }
      guard let line else {
        self.file = nil
        continue
      }
      self.file = file
      guard let document = try? JSONDecoder().decode(SectorDocument.self, from: line) else {
        throw DocumentError(path: name, fault: DocumentError.foreign)
      }
      return (name, document)
    }
  }
}

/// A batch's document that cannot be used.
struct DocumentError: Error, CustomStringConvertible {
  static let foreign = "is not a document that skynet writes for this step"

  let path: String
  let fault: String
  var nextStep = "make it again; skynet scan --help lists the steps"

  init(path: String, fault: String) { (self.path, self.fault) = (path, fault) }

  /// - Parameter excess: the fault of a file that is too large.
  init(_ path: String, _ failure: SmallFile.Failure, _ excess: String) {
    self.path = path
    switch failure {
    case .absent:
      (fault, nextStep) = OddName.absence(
        of: path, or: ("there is no such file", "check its path"))
    case .unreadable: (fault, nextStep) = ("cannot be read", "check its permissions")
    case .tooLarge: fault = excess
    }
  }

  var description: String { "\(path): \(fault); \(nextStep)" }
}
