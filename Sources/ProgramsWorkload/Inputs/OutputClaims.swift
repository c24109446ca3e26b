import ArgumentParser
import SkyFiles
import SkyNetCommand
import SkyPrograms

/// The files that outputs become, by which it is found that two inputs would have one, or that one would replace what
/// the run needs.
struct OutputClaims {
  /// What a file is for.
  private enum Use {
    /// The run itself: a word for people.
    case run(String)
    case input
    case output(of: ExactText)
  }

  private var folders = FolderIdentities()
  private var places: [FilePlace: Use] = [:]
  /// Files that have several names, or are there already.
  private var files: [FileLocation.FileNumber: Use] = [:]

  /// - Parameters:
  ///   - run: the run's own files, with their options.
  ///   - words: the program and its arguments, of which some are files.
  init(run: [FileOption] = [], words: [String] = []) {
    for case (let flag, let path?) in run { keep(path, "the file of --\(flag)") }
    for word in words { keep(word, "a file that the program's words name") }
  }

  private mutating func keep(_ path: String, _ what: String) {
    let location = FileLocation(path, folders: &folders)
    places[location.place] = .run(what)
    if let file = location.file { files[file] = .run(what) }
  }

  /// Takes note of an input's files.
  ///
  /// - Returns: why they are no input; `nil` if they are.
  mutating func read(_ facts: InputFacts) -> String? {
    for file in facts.files {
      let location = FileLocation(file.path, folders: &folders)
      if case .output(let owner)? = places[location.place] {
        return "\(file.path) becomes the output of \(owner.text): " + Self.remedy
      }
      if let number = location.file, files[number] == nil { files[number] = .input }
    }
    return nil
  }

  /// Claims the file of an input's output. Devices have room for several.
  ///
  /// - Returns: why the input cannot have it; `nil` if it can.
  mutating func claim(_ path: String, for input: String) -> String? {
    let location = FileLocation(path, folders: &folders)
    guard !location.isDevice else { return nil }
    if let fault = fault(path, location, input) { return fault }
    places[location.place] = .output(of: ExactText(input))
    return nil
  }

  /// - Returns: why an output cannot be this file, which no other output is; `nil` if it can.
  mutating func fault(_ path: String) -> String? {
    let location = FileLocation(path, folders: &folders)
    return location.isDevice ? nil : fault(path, location, "")
  }

  private func fault(_ path: String, _ location: FileLocation, _ input: String) -> String? {
    switch location.file.flatMap({ files[$0] }) ?? places[location.place] {
    case nil: nil
    case .run(let what): "--output would replace \(path), which is \(what): " + Self.remedy
    case .input: "--output would replace \(path), which is an input: " + Self.remedy
    case .output(let owner) where owner == ExactText(input):
      "\(input) is given twice, and both outputs would be \(path): leave one out, or put {#} into --output"
    case .output(let owner):
      "\(owner.text) and \(input) would both write \(path): put {#} into --output, or {//} for their folders"
    }
  }

  private static let remedy = "give outputs a folder or an ending of their own"
}

extension OutputClaims {
  /// Takes note of all inputs that can be read before they are run, so that no output replaces a later one.
  ///
  /// - Returns: the inputs that come before those of the first list.
  /// - Throws: ``InputFault`` if a list cannot be read.
  mutating func read(_ pieces: [InputPiece]) throws -> [InputFacts] {
    var known: [InputFacts] = []
    var isBeforeLists = true
    for piece in pieces {
      let facts = piece.facts(from: known.count) ?? []
      for facts in facts { _ = read(facts) }
      guard case .list(let list) = piece else {
        if isBeforeLists { known += facts }
        continue
      }
      isBeforeLists = false
      guard list.isFile else { continue }
      var lines = try InputLines(list)
      while let line = try lines.next() {
        if let given = try? line.text.get() { _ = read(InputFacts(given: given, place: 0)) }
      }
    }
    return known
  }

  /// Looks for faults before the run.
  ///
  /// - Parameter known: the first inputs.
  /// - Returns: the first input, if one is known.
  /// - Throws: `ValidationError` with the first fault.
  func check(_ known: [InputFacts], _ names: OutputNames) throws -> TemplateInput? {
    var claims = self
    for facts in known {
      if let fault = claims.refusal(facts, names) { throw ValidationError(fault) }
    }
    return known.first?.givenInput
  }
}
