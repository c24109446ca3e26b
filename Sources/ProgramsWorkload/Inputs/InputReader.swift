import ArgumentParser
import Foundation
import SkyFiles
import SkyNetCommand
import SkyNetCore
import SkyPrograms

/// Reads inputs, and decides of each what it names and whether it can be run.
struct InputReader: Sendable {
  let settings: ProgramSettings
  /// The names of outputs' files, if outputs become files.
  var names: OutputNames?
  /// Knows what outputs may not replace.
  var claims: OutputClaims
  /// The files of options that the run writes.
  var written: [FileOption] = []
  /// What earlier processes recorded.
  var past = PastInputs()
  /// Is told what may make results other than they are meant.
  var warn: @Sendable (String) -> Void = { _ in }
  /// Is told the rest.
  var tell: @Sendable (String) -> Void = { _ in }

  /// Whether the claims know all inputs that can be read before they are run.
  private var isPrepared = false
  private var own = OwnFiles([], past: PastInputs(), nil)
  private var ownInputs = (count: 0, example: "", areNamed: false)
  private var toldOfPlace = false

  /// Whether programs run in another folder than this one.
  private let isElsewhere: Bool

  init(_ claims: OutputClaims) {
    (self.claims, settings) = (claims, claims.settings)
    isElsewhere =
      settings.directory.map { ExactText($0) }
      != ProgramSettings.here.directory.map { ExactText($0) }
  }

  /// Takes note of all inputs that can be read before they are run, so that no output replaces a later one.
  ///
  /// - Throws: ``InputFault`` if a list cannot be read.
  mutating func prepare(_ pieces: [InputPiece]) throws {
    guard !isPrepared else { return }
    isPrepared = true
    own = OwnFiles(written, past: past, names)
    guard names != nil else { return }
    for piece in pieces {
      if case .list(let list) = piece, !list.isFile { continue }
      _ = try eachFacts(of: piece, from: 0) { reader, facts, _ in
        _ = reader.read(facts)
        return true
      }
    }
    ownInputs = (0, "", false)
  }

  /// Looks for faults of the inputs before the first list.
  ///
  /// - Returns: the first of them.
  /// - Throws: `ValidationError` with the first fault.
  func check(_ pieces: [InputPiece]) throws -> TemplateInput? {
    var (reader, first, place) = (self, TemplateInput?.none, 0)
    for piece in pieces.prefix(while: { $0.count != nil }) {
      _ = try reader.each(of: piece, from: place) { entry in
        if let fault = entry.refusal, !OutputClaims.isNested(fault) { throw ValidationError(fault) }
        first = first ?? entry.facts.templateInput
        place += 1
        return true
      }
    }
    return first
  }

  /// Gives all inputs of a piece to `body`, as long as that returns `true`.
  ///
  /// - Parameter place: that of the first one.
  /// - Returns: `false` once `body` has.
  mutating func each(
    of piece: InputPiece, from place: Int, _ body: (InputSupply.Entry) throws -> Bool
  ) throws -> Bool {
    try eachFacts(of: piece, from: place) { reader, facts, fault in
      try body(
        InputSupply.Entry(
          name: Self.name(facts.text), facts: facts, refusal: fault ?? reader.refusal(facts)))
    }
  }

  /// - Parameter body: is given what makes an input none, if that is so.
  private mutating func eachFacts(
    of piece: InputPiece, from place: Int,
    _ body: (inout InputReader, InputFacts, _ fault: String?) throws -> Bool
  ) throws -> Bool {
    var place = place
    func pass(
      _ text: String, _ reader: inout InputReader, isWhole: Bool = false, isOdd: Bool = false
    ) throws -> Bool {
      guard let facts = reader.facts(text, place, isWhole: isWhole, of: piece) else { return true }
      place += 1
      return try body(&reader, facts, isOdd ? "\(text) \(OddName.fault): rename it" : nil)
    }
    switch piece {
    case .words(let words):
      for word in words {
        // A shell may have named files of which the names are no text. No program would find them.
        let isOdd = !OddName.isCommandLineUTF8 && OddName.isOne(word)
        guard try pass(word, &self, isOdd: isOdd) else { return false }
      }
    case .matches(let matches, let pattern):
      for match in matches + gone(pattern, matches) {
        let isOdd = OddName.isOne(match) && access(match, F_OK) != 0
        guard try pass(match, &self, isOdd: isOdd) else { return false }
      }
    case .list(let list):
      var lines = try InputLines(list)
      while let line = try lines.next() {
        switch line.text {
        case .success(let text):
          guard try pass(text, &self, isWhole: list.isOfWholes) else { return false }
        case .failure(let fault):
          let facts = InputFacts(fault.text, place: place)
          place += 1
          guard try body(&self, facts, fault.reason) else { return false }
        }
      }
    }
    return true
  }

  /// What the pattern named in an earlier process, and is gone now: by the programs' work, or an input that nobody can
  /// run any more.
  private func gone(_ pattern: String, _ matches: [String]) -> [String] {
    let known = Set(matches.map { ExactText($0) })
    return past.all.filter {
      !$0.facts.files.isEmpty && !known.contains(ExactText($0.facts.text))
        && FilePattern.isMatch($0.facts.text, of: pattern)
        && settings.path(of: $0.facts.text).map { access($0, F_OK) != 0 } ?? true
    }.sorted { $0.part.number < $1.part.number }.map(\.facts.text)
  }

  /// - Returns: `nil` if the input is a file that the run writes: what a pattern matches, or a run that goes on finds.
  private mutating func facts(
    _ text: String, _ place: Int, isWhole: Bool, of piece: InputPiece
  ) -> InputFacts? {
    let facts = InputFacts(text, place: place, isWhole: isWhole, settings)
    if let known = past.first(text) {
      return facts.continuing(known.facts, isDone: known.isDone) ?? facts
    }
    if !facts.files.isEmpty, let path = settings.path(of: text), own.has(path) {
      if !piece.isPattern {
        // A word of the same name, as it was written.
        if past.isEmpty { return InputFacts(text, place: place, isWhole: isWhole) }
        ownInputs.areNamed = true
      }
      (ownInputs.count, ownInputs.example) = (ownInputs.count + 1, text)
      return nil
    }
    tellOfPlace(facts)
    return facts
  }

  /// A program looks for a relative name in its own folder, whatever lies in this one.
  private mutating func tellOfPlace(_ facts: InputFacts) {
    guard isElsewhere, !toldOfPlace, facts.files.isEmpty, !facts.text.isAbsolutePath,
      ProgramSettings.here.isFile(facts.text)
    else { return }
    toldOfPlace = true
    let folder = settings.directory.map { "in \($0), where there is none" } ?? "in an empty folder"
    warn(
      "the input \(facts.text) is a file here, and the program looks for it \(folder): give absolute paths, as in "
        + "\"$PWD\"/…, or leave --directory out")
  }

  func tellOfOwnFiles() {
    guard ownInputs.count > 0 else { return }
    (ownInputs.areNamed ? warn : tell)(
      ownInputs.count == 1
        ? "\(ownInputs.example) is written by this run, and no input of it"
        : "\(ownInputs.count) files, such as \(ownInputs.example), are written by this run, and no inputs of it"
    )
  }

  /// What people see of an input.
  static func name(_ given: String) -> String {
    guard given.utf8.count > 300 else { return given.isEmpty ? "(empty)" : given }
    return given.prefix(200) + "…"
  }

  private mutating func refusal(_ facts: InputFacts) -> String? {
    guard let names else { return nil }
    if let fault = read(facts) { return fault }
    do {
      return claims.claim(try names.path(of: facts.templateInput), for: facts.text)
    } catch {
      return error.reason
    }
  }

  /// Takes note of what a program reads, so that no output replaces it.
  ///
  /// - Returns: why the input is none; `nil` if it is.
  private mutating func read(_ facts: InputFacts) -> String? {
    // What an earlier process has run has its output there by now.
    if past.first(facts.text) == nil { claims.readWords(of: facts.templateInput) }
    return claims.read(facts)
  }
}

extension ProgramSettings {
  /// Those of a program that runs here.
  fileprivate static let here = ProgramSettings([])
}
