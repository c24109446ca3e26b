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
    /// A folder that an output's file is in, and whose it is.
    case folder(of: ExactText)
  }

  let settings: ProgramSettings
  /// The words that differ from input to input, but those that are the input.
  private let words: ProgramTemplate
  private var folders = FolderIdentities()
  private var places: [FilePlace: Use] = [:]
  /// Files that have several names, or are there already.
  private var files: [FileLocation.FileNumber: Use] = [:]

  /// - Parameters:
  ///   - settings: have the program and its arguments, of which some are files.
  ///   - run: the run's own files, with their options.
  init(_ settings: ProgramSettings, run: [FileOption] = []) {
    self.settings = settings
    words = ProgramTemplate(
      settings.words.filter { $0 != "{}" && ProgramTemplate([$0]).hasPlaceholders })
    for case (let flag, let path?) in run { keep(path, "the file of --\(flag)") }
    for path in WordFiles(settings).paths { keep(path, Self.wordFile) }
  }

  private static let wordFile = "a file that the program's words name"

  private mutating func keep(_ path: String, _ what: String) {
    let location = FileLocation(path, folders: &folders)
    places[location.place] = .run(what)
    if let file = location.file { files[file] = .run(what) }
  }

  /// Takes note of an input's files.
  ///
  /// - Returns: why they are no input; `nil` if they are.
  mutating func read(_ facts: InputFacts) -> String? {
    for path in facts.files.compactMap({ settings.path(of: $0.name) }) {
      let location = FileLocation(path, folders: &folders)
      if case .output(let owner)? = places[location.place] {
        return "\(facts.text) becomes the output of \(owner.text): " + Self.remedy
      }
      if let number = location.file, files[number] == nil { files[number] = .input }
    }
    return nil
  }

  /// Takes note of the files that the words name with an input in them. A number is meant as one.
  mutating func readWords(of input: TemplateInput) {
    for word in (try? words.words(for: input)) ?? [] where Int(word) == nil {
      for path in settings.files(namedBy: word).compactMap({ settings.path(of: $0) }) {
        guard let number = FileLocation(path, folders: &folders).file, files[number] == nil
        else { continue }
        files[number] = .run(Self.wordFile)
      }
    }
  }

  /// Claims the file of an input's output. Devices have room for several.
  ///
  /// - Returns: why the input cannot have it; `nil` if it can.
  mutating func claim(_ path: String, for input: String) -> String? {
    let location = FileLocation(path, folders: &folders)
    guard !location.isDevice else { return nil }
    if let fault = fault(path, location, input) { return fault }
    let above = location.place.missingFolders
    // Of a file and of one below it, one cannot be there.
    for folder in above {
      guard case .output(let owner)? = places[folder] else { continue }
      return Self.fault(path, of: input, below: owner.text)
    }
    for folder in above { places[folder] = .folder(of: ExactText(input)) }
    places[location.place] = .output(of: ExactText(input))
    return nil
  }

  private static func fault(_ path: String, of input: String, below owner: String) -> String {
    "\(path), of \(input), would be in a folder that is the output of \(owner)" + Self.nested
  }

  private static let nested = ": give outputs an ending of their own"

  /// Whether a fault of an output is that another one is its folder, or is in it. That costs one of the two, and no run.
  static func isNested(_ fault: String) -> Bool { fault.hasSuffix(nested) }

  /// - Returns: why an output cannot be this file, which no other output is; `nil` if it can.
  mutating func fault(_ path: String) -> String? {
    let location = FileLocation(path, folders: &folders)
    return location.isDevice ? nil : fault(path, location, "")
  }

  private func fault(_ path: String, _ location: FileLocation, _ input: String) -> String? {
    switch location.file.flatMap({ files[$0] }) ?? places[location.place] {
    case nil: nil
    case .folder(let owner):
      "\(path), of \(input), would be a folder that the output of \(owner.text) is in" + Self.nested
    case .run(let what): "--output would replace \(path), which is \(what): " + Self.remedy
    case .input: "--output would replace \(path), which is an input: " + Self.remedy
    case .output(let owner) where owner == ExactText(input):
      "\(InputReader.name(input)) is given twice, and both outputs would be \(path): leave one out, or put {#} into --output"
    case .output(let owner):
      "\(owner.text) and \(input) would both write \(path): put {#} into --output, or {//} for their folders"
    }
  }

  private static let remedy = "give outputs a folder or an ending of their own"
}
