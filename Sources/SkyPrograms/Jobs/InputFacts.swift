import Foundation
import SkyFiles

/// What a journal keeps of an input, so that a later process knows it again, and `replay` can run it.
package struct InputFacts: Codable, Hashable, Sendable {
  /// A file that the input names, as it was when the input came.
  package struct File: Codable, Hashable, Sendable {
    package let path: String
    let state: FileState?

    package init(_ path: String) {
      self.path = path
      state = FileState(path: path)
    }

    /// Whether there was no such file.
    package var isMissing: Bool { state == nil }

    /// Whether the file is the same version. Machines that share it may number its disk and the file differently.
    func isUnchanged(since past: File) -> Bool {
      ExactText(path) == ExactText(past.path) && state?.version == past.state?.version
    }
  }

  /// The input as programs get it, with absolute paths.
  package let text: String
  /// The input as it was given; `nil` if that is the same.
  package let given: String?
  /// Its place among all inputs, from 0.
  package let place: Int
  package let files: [File]

  package init(_ text: String, given: String? = nil, place: Int, files: [File] = []) {
    (self.text, self.place, self.files) = (text, place, files)
    self.given = given.map { ExactText($0) } == ExactText(text) ? nil : given
  }

  /// The input as it was given, for what stands for it in the names of files.
  package var givenInput: TemplateInput { TemplateInput(given ?? text, place: place) }

  /// - Returns: `nil` if the text is none that this type has written.
  package init?(_ text: String) {
    guard let facts = try? JSONDecoder().decode(InputFacts.self, from: Data(text.utf8)) else {
      return nil
    }
    self = facts
  }

  package var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Texts and whole numbers can always be encoded.
    guard let data = try? encoder.encode(self) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }

  package func input(number: Int) -> ProgramInput {
    var input = ProgramInput(number: number, text: text, files: files.map(\.path))
    input.place = place == number ? nil : place
    return input
  }

  /// Whether a file of the input is another version now, or is gone.
  package var hasChanged: Bool { files.contains { !File($0.path).isUnchanged(since: $0) } }

  /// Whether the input and the files that it names are the same. The place of the input and how it was given, by which
  /// the output's file is named, may differ.
  func isSame(as past: InputFacts) -> Bool {
    ExactText(text) == ExactText(past.text) && files.count == past.files.count
      && zip(files, past.files).allSatisfy { $0.isUnchanged(since: $1) }
  }
}

/// How an input ended, as a journal keeps it.
struct InputOutcome: Codable, Hashable, Sendable {
  enum State: String, Codable { case done, failed }

  let state: State
  let reason: String?

  init(failure: String?) { (state, reason) = (failure == nil ? .done : .failed, failure) }

  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }
}
