/// A keyword of SExtractor's configuration: the values that it takes, and their effect here. ``all`` has every keyword,
/// and everything that is known of each: what is read, refused, printed by `-dd` and documented follows from it.
package struct SExtractorKeyword: Sendable {
  package let name: String
  /// SExtractor's default, as `source-extractor -dd` prints it, version 2.25; empty for none.
  package let usual: String
  let kind: Kind
  /// How many values SExtractor takes. It ignores further ones of a keyword that takes one.
  let count: ClosedRange<Int>
  let effect: Effect
  /// What the keyword sets, for `-d` and the documentation.
  let about: String
  /// Whether `-d` has it, and not only `-dd`.
  let isCommon: Bool

  /// The values that SExtractor takes.
  enum Kind: Sendable {
    /// Yes or no, by the first letter.
    case flag
    /// Some of these names, in capitals.
    case names([String])
    case integer(ClosedRange<Int>)
    case number(ClosedRange<Double>)
    /// Numbers over 0, up to the largest one.
    case positive(Double)
    /// A path, which may have environment variables.
    case path
    /// A keyword of a FITS header.
    case headerKeyword
    /// Any words, which are not checked.
    case words
  }

  /// What becomes of the values here.
  enum Effect: Sendable {
    case obeyed
    /// These names are obeyed. Others would make another catalogue, and are refused.
    case obeyedIf([String])
    /// One value is obeyed, or several that are equal. Others are refused.
    case obeyedIfEqual
    /// Names the catalogue's file. For `engage`, options do: another value than the default has a notice.
    case outputName
    /// Names the catalogue's format. `skynet sex` obeys ``SExtractorFormat/served``, and refuses others. For `engage`,
    /// options name the format: it accepts these, and refuses others.
    case outputFormat(inEngage: [String])
    /// Other values than the default would make another catalogue or further files, and are refused.
    case refused
    /// Asks for further files. `skynet sex` obeys these names and the default, and refuses others. `engage`, whose
    /// options name its outputs, prints a notice.
    case furtherFiles([String])
    /// Names the further files. `skynet sex` obeys it, and `engage` passes over it.
    case furtherNames
    /// Cannot change a catalogue here.
    case unused(because: String)
  }

  init(
    _ name: String, _ usual: String, _ kind: Kind, _ count: ClosedRange<Int>, _ effect: Effect,
    common: Bool = true, _ about: String
  ) {
    (self.name, self.usual, self.kind, self.count) = (name, usual, kind, count)
    (self.effect, self.isCommon, self.about) = (effect, common, about)
  }

  /// A keyword of one value that is obeyed.
  init(_ name: String, _ usual: String, _ kind: Kind, common: Bool = true, _ about: String) {
    self.init(name, usual, kind, 1...1, .obeyed, common: common, about)
  }

  /// The values of the default.
  var usualValues: [String] { SExtractorSetting.words(in: usual[...]) }

  /// - Parameter name: the keyword in capitals.
  /// - Returns: `nil` if SExtractor knows no such keyword.
  package init?(_ name: String) {
    guard let keyword = Self.named[name] else { return nil }
    self = keyword
  }

  private static let named = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// All keywords.
  package static let all = sections.flatMap(\.keywords)
}

extension SExtractorKeyword {
  /// Whether the keyword says which files are written.
  var isOfFiles: Bool {
    switch effect {
    case .outputName, .outputFormat, .furtherFiles, .furtherNames: true
    default: false
    }
  }

  /// What a value must be, for messages.
  var needed: String {
    switch kind {
    case .flag: "Y or N is needed"
    case .names(let names): "one of \(names.joined(separator: ", ")) is needed"
    case .integer(let range):
      "\(amount("a whole number", "whole numbers")) from \(range.lowerBound) to \(range.upperBound) \(verb) needed"
    case .number(let range): "\(amount("a number", "numbers"))\(Self.text(range)) \(verb) needed"
    case .positive(let most):
      "\(amount("a number", "numbers"))\(Self.text(over: most)) \(verb) needed"
    case .path: "a path is needed"
    case .headerKeyword: "a keyword of a FITS header is needed, of at most 8 characters"
    case .words: "a value is needed"
    }
  }

  /// The values that it takes, for the documentation.
  var values: String {
    switch kind {
    case .flag: "Y, N"
    case .names(let names): names.joined(separator: ", ")
    case .integer(let range): "\(range.lowerBound) to \(range.upperBound)"
    case .number(let range): Self.text(range).isEmpty ? "number" : "number\(Self.text(range))"
    case .positive(let most): String(Self.text(over: most).dropFirst())
    case .path: "path"
    case .headerKeyword: "header keyword"
    case .words: ""
    }
  }

  private var verb: String { count.upperBound == 1 ? "is" : "are" }

  private func amount(_ one: String, _ several: String) -> String {
    switch count {
    case 1...1: one
    case 2...2: "two \(several.split(separator: " ").last == "numbers" ? several : one)"
    default: several
    }
  }

  private static func text(_ range: ClosedRange<Double>) -> String {
    switch (range.lowerBound, range.upperBound) {
    case (-infinite...(-infinite), _): ""
    case (let low, infinite...): " of \(text(low)) or more"
    case (let low, let high): " from \(text(low)) to \(text(high))"
    }
  }

  private static func text(over most: Double) -> String {
    " over 0" + (most < infinite ? ", of at most \(text(most))," : "")
  }

  private static func text(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? "\(number)"
  }

  /// SExtractor's largest number.
  static let infinite = 1e30
}
