import SkyCatalog

/// What the words of `skynet sex` ask for. They are SExtractor's: an image, `-c FILE`, and `-KEYWORD VALUE`. Options with
/// two dashes are those of `engage`.
enum SexRequest: Equatable {
  case syntax
  case version
  /// A configuration file with the defaults, of all keywords or the common ones.
  case defaults(all: Bool)
  /// The list of the columns that exist here.
  case columns
  /// Nothing: a keyword of SExtractor's, which this is, has two dashes.
  case keywordWithTwoDashes(String)
  case run(Run)

  struct Run: Equatable {
    var images: [String] = []
    var configuration: String?
    var settings: [SExtractorSetting] = []
    /// The options of `engage`, with their values.
    var options: [String] = []
  }

  /// - Parameter takesValue: whether the next word is the value of an option with two dashes.
  init(_ words: [String], takesValue: (String) -> Bool) {
    var run = Run()
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--help" {
        self = .syntax
        return
      } else if let keyword = Self.keywordWithTwoDashes(word) {
        self = .keywordWithTwoDashes(keyword)
        return
      } else if word.hasPrefix("--") {
        run.options.append(word)
        if !word.contains("="), takesValue(word), let value = rest.popFirst() {
          run.options.append(value)
        }
      } else if word.hasPrefix("-"), word.count >= 4 {  // Shorter words are no keywords.
        run.settings.append(
          SExtractorSetting(keyword: String(word.dropFirst()), word: rest.popFirst() ?? ""))
      } else if word == "-c", let path = rest.popFirst() {
        run.configuration = path
      } else if word.hasPrefix("-") {
        self = Self.short(word)
        return
      } else {
        run.images += word.split(separator: ",").map(String.init)
      }
    }
    self = words.isEmpty ? .syntax : .run(run)
  }

  /// The keyword of SExtractor's that a word with two dashes names; `nil` if it names none. Options of `engage` are in
  /// small letters, and have no `_`.
  private static func keywordWithTwoDashes(_ word: String) -> String? {
    guard word.hasPrefix("--") else { return nil }
    let name = word.dropFirst(2).prefix { $0 != "=" }
    let keyword = name.uppercased()
    return (name == keyword || name.contains("_")) && SExtractorKeyword(keyword) != nil
      ? keyword : nil
  }

  private static func short(_ word: String) -> SexRequest {
    switch word {
    case "-d": .defaults(all: false)
    case "-dd": .defaults(all: true)
    case "-dp": .columns
    case "-v": .version
    default: .syntax
    }
  }
}
