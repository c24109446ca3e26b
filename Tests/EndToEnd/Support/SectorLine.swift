import Testing

/// A line of a results file.
struct SectorLine: Decodable, Equatable {
  struct Failure: Decodable, Equatable {
    let system: String
    let reason: String
  }

  /// A simulated sector's result is a text, as a program's is, or the file of its output; an image sector's is its number
  /// of sources.
  enum Output: Decodable, Equatable {
    case text(String)
    case number(Int)
    case file(String)

    private enum CodingKeys: String, CodingKey { case file }

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      self =
        if let text = try? container.decode(String.self) {
          .text(text)
        } else if let number = try? container.decode(Int.self) {
          .number(number)
        } else {
          .file(
            try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .file))
        }
    }
  }

  let sector: Int
  let result: Output?
  let system: String?
  let error: [Failure]?
  let attempts: Int
  let seconds: Double
}

/// An engagement's summary, its last line on standard error.
struct Summary {
  let completed: Int
  let total: Int
  let seconds: Double
  /// The shares of the systems that are named: all of them, or the ten largest.
  let shares: [String: Int]
  /// How many systems have a share and are not named.
  let unnamed: Int
  let retried: Int
  let failed: Int
  /// How many of the completed sectors came from a journal.
  let before: Int

  init(_ line: String) throws {
    let pattern = try Regex(
      #"(\d+) of (\d+) sectors in (\d+\.\d+) s by (\d+) systems?"#
        + #"(?: \((.*)\))?, (\d+) retried, (\d+) failed(?:, (\d+) done before)?"#)
    let parts = try #require(try pattern.wholeMatch(in: line), "\(line)").output
    func part(_ index: Int) throws -> Substring { parts[index].substring ?? "" }
    completed = try #require(Int(part(1)))
    total = try #require(Int(part(2)))
    seconds = try #require(Double(part(3)))
    var shares: [String: Int] = [:]
    var unnamed = 0
    for share in try part(5).split(separator: ", ") {
      if let more = share.wholeMatch(of: /… and (\d+) more/) {
        unnamed = Int(more.1) ?? 0
        continue
      }
      let space = try #require(share.lastIndex(of: " "))
      shares[String(share[..<space])] = Int(share[share.index(after: space)...])
    }
    self.shares = shares
    self.unnamed = unnamed
    try #require(Int(part(4)) == shares.count + unnamed)
    retried = try #require(Int(part(6)))
    failed = try #require(Int(part(7)))
    before = Int(try part(8)) ?? 0
  }

  /// Whether these are the shares that the summary tells of.
  func tells(of all: [String: Int]) -> Bool {
    shares.count + unnamed == all.count && shares.allSatisfy { all[$0.key] == $0.value }
  }
}
