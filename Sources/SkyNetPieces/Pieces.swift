import Foundation

/// Does one fixed piece of work once, so that `Benchmarks/run instructions` can count what it costs.
///
/// A piece needs no file, network, thread or clock, so that its instructions are the same each time. Older commits are
/// counted with these files in their trees: a piece uses only what its room has had for long.
@main
struct Pieces {
  static func main() {
    let asked = CommandLine.arguments.dropFirst()
    do {
      guard asked.count == 1, let piece = asked.first, let work = try prepared(piece) else {
        write("usage: SkyNetPieces detect-SKY-LIST | unpack-rice | see-events")
        exit(64)
      }
      try countedWork(work)
    } catch {
      write("SkyNetPieces: \(error)")
      exit(1)
    }
  }

  /// Prepares a piece; returns its work, or `nil` if there is no such piece.
  private static func prepared(_ piece: String) throws -> (() throws -> Void)? {
    switch piece {
    case "unpack-rice": return try unpackingRice()
    case "see-events": return seeingEvents()
    default:
      let words = piece.split(separator: "-").map(String.init)
      guard words.count == 3, words[0] == "detect", let sky = MadeUpSky(rawValue: words[1]),
        let list = SourceList(rawValue: words[2])
      else { return nil }
      return try detection(of: sky, for: list)
    }
  }

  private static func write(_ line: String) {
    FileHandle.standardError.write(Data("\(line)\n".utf8))
  }
}

/// Only what this function calls is counted, by its name.
@inline(never)
private func countedWork(_ work: () throws -> Void) throws { try work() }

/// A piece had another outcome than it always has, so its instructions say nothing.
struct UnexpectedOutcome: Error, CustomStringConvertible {
  let description: String
}
