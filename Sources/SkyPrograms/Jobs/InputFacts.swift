import Foundation
import SkyFiles

/// What a journal keeps of an input, so that a later process knows it again, and `replay` can run it.
package struct InputFacts: Codable, Hashable, Sendable {
  /// A file that the input names.
  package struct File: Codable, Hashable, Sendable {
    /// As the input names it.
    package let name: String
    /// As it was when the input came, or when its program had ended; `nil` if it was gone.
    var state: FileState?

    /// - Parameter settings: tell where programs look for the file.
    package init(_ name: String, _ settings: ProgramSettings) {
      self.name = name
      state = settings.path(of: name).flatMap { FileState(path: $0) }
    }

    /// Whether the file is the same version. Machines that share it may number its disk and the file differently.
    func isUnchanged(since past: File) -> Bool {
      ExactText(name) == ExactText(past.name) && state?.version == past.state?.version
    }
  }

  /// The input, as it was given.
  package let text: String
  /// Its place among all inputs, from 0.
  package let place: Int
  /// `true` if tabs that it has cut no columns.
  private let isWhole: Bool?
  /// Decided when the input came: what becomes of its name afterwards, as by the program itself, changes nothing.
  package private(set) var files: [File]

  /// - Parameters:
  ///   - isWhole: whether the input is one column.
  ///   - settings: tell where programs look for files; `nil` for an input that names none.
  package init(
    _ text: String, place: Int, isWhole: Bool = false, _ settings: ProgramSettings? = nil
  ) {
    (self.text, self.place) = (text, place)
    self.isWhole = isWhole && text.utf8.contains(UInt8(ascii: "\t")) ? true : nil
    files = settings.flatMap { $0.isFile(text) ? [File(text, $0)] : nil } ?? []
  }

  /// What stands for the input.
  package var templateInput: TemplateInput {
    TemplateInput(text, place: place, isWhole: isWhole ?? false)
  }

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
    var input = ProgramInput(number: number, text: text, files: files.map(\.name))
    input.place = place == number ? nil : place
    input.isWhole = isWhole
    return input
  }

  /// Whether a file of the input is another version now, or is gone.
  package func hasChanged(_ settings: ProgramSettings) -> Bool {
    files.contains { !File($0.name, settings).isUnchanged(since: $0) }
  }

  /// The same input, with its files as they are now.
  func now(_ settings: ProgramSettings) -> InputFacts {
    var facts = self
    facts.files = files.map { File($0.name, settings) }
    return facts
  }

  /// The input, of which an earlier process of the run has these facts. Whether it names a file was decided then: what
  /// has come under its name since may be the run's own work.
  ///
  /// - Parameter isDone: whether the input's program has done its work. A file that is gone may be that work.
  /// - Returns: `nil` if a file is another version now, or the input has other columns, so that what was done with it does
  ///   not count.
  package func continuing(_ past: InputFacts, isDone: Bool) -> InputFacts? {
    guard isWhole == past.isWhole else { return nil }
    var facts = self
    if past.files.isEmpty {
      if isDone { facts.files = [] }
    } else if files.isEmpty {
      facts.files = past.files
    } else {
      guard
        files.count == past.files.count,
        zip(files, past.files).allSatisfy({ $0.isUnchanged(since: $1) })
      else { return nil }
    }
    return facts
  }
}

/// How an input ended, as a journal keeps it.
struct InputOutcome: Codable, Hashable, Sendable {
  enum State: String, Codable { case done, failed }

  let state: State
  let reason: String?

  /// - Returns: `nil` if the text is none that this type has written.
  init?(_ text: String) {
    guard let outcome = try? JSONDecoder().decode(InputOutcome.self, from: Data(text.utf8)) else {
      return nil
    }
    self = outcome
  }

  init(failure: String?) { (state, reason) = (failure == nil ? .done : .failed, failure) }

  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }
}
