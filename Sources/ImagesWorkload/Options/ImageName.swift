import ArgumentParser
import Foundation
import SkyFiles
import SkyNetCommand

/// An image as the command line names it: a file, and perhaps one of the file's images.
struct ImageName: Equatable {
  let path: String
  /// A header unit's number, from 0 for the primary one, or its EXTNAME.
  let `extension`: String?

  /// Reads `FILE`, `FILE[2]` or `FILE[CCD2]`. If a file has the whole text as its name, that file
  /// is meant.
  ///
  /// - Parameter isThere: whether a file with that name exists.
  init(
    _ text: String,
    isThere: (String) -> Bool = { FileManager.default.fileExists(atPath: $0) }
  ) {
    guard text.hasSuffix("]"), let bracket = text.lastIndex(of: "["), bracket > text.startIndex,
      !isThere(text)
    else {
      (path, self.extension) = (text, nil)
      return
    }
    let chosen = text[text.index(after: bracket)...].dropLast()
    path = String(text[..<bracket])
    self.extension = chosen.trimmingCharacters(in: .whitespaces)
  }

  init(path: String, extension: String?) {
    self.path = path
    self.extension = `extension`
  }

  /// The images that a word names, in the order of their names: those of the files that match a pattern, each with the
  /// extension that brackets behind the pattern choose; the word itself if it is no pattern, or nothing matches.
  ///
  /// Brackets at the end may choose an extension or be a part of a pattern: `frame[12]` is an image of `frame`, or
  /// `frame1` and `frame2` if there is no `frame`.
  static func matches(_ word: String) -> [String] {
    let name = ImageName(word)
    guard let choice = name.extension else { return FilePattern.files(word) }
    if FileManager.default.fileExists(atPath: name.path) { return [word] }
    let files = FilePattern.matches(name.path) ?? []
    return files.isEmpty ? FilePattern.files(word) : files.map { "\($0)[\(choice)]" }
  }

  /// This image, with the extension that `--extension` chooses.
  ///
  /// - Throws: `ValidationError` if the name chooses another extension.
  func choosing(_ option: String?) throws -> ImageName {
    guard let option else { return self }
    if let chosen = self.extension, chosen != option {
      throw ValidationError(
        "\(path)[\(chosen)] and --extension \(option) name two images: leave one out")
    }
    return ImageName(path: path, extension: option)
  }
}
