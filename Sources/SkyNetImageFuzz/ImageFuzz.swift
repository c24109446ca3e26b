import Foundation
import SkyFITS
import SkyNetCore

/// Damages FITS files and reads them, each with a reader process of its own.
/// `Tests/run fuzz-images` runs this program, and defines a finding.
///
///     SkyNetImageFuzz seed FILE                   makes an image with coordinates in the sky
///     SkyNetImageFuzz damage NUMBER FILE OUT      writes the damaged file of that number
///     SkyNetImageFuzz read FIRST COUNT FOLDER FILE…
///                                                 reads the damaged files of these numbers, which lie
///                                                 in the folder meanwhile, each with and without sky
///
/// The program has one thread and no `async`, because it forks.
@main
enum ImageFuzz {
  /// The longest time that reading a file may take.
  static let limit = Duration.seconds(20)

  static func main() {
    let words = CommandLine.arguments
    do {
      switch words.dropFirst().first {
      case "seed" where words.count == 3: try Seed.make(words[2])
      case "damage" where words.count == 5:
        guard let number = UInt64(words[2]) else { failWithUsage() }
        let damaged = Damage.damaged(try contents(words[3]), number: number)
        try Data(damaged).write(to: URL(fileURLWithPath: words[4]))
      case "read" where words.count > 5:
        guard let first = UInt64(words[2]), let count = UInt64(words[3]) else { failWithUsage() }
        let seeds = try words[5...].map(contents)
        exit(try read(first..<first + count, of: seeds, in: words[4]) ? 0 : 1)
      default: failWithUsage()
      }
    } catch {
      fail("\(error)", 2)
    }
  }

  private static func contents(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Returns whether every file gave a result or a clear error in time.
  private static func read(
    _ numbers: Range<UInt64>, of seeds: [[UInt8]], in folder: String
  ) throws -> Bool {
    var outcomes: [String: Int] = [:]
    var isSound = true
    let path = folder + "/damaged.fits"
    for number in numbers {
      let seed = seeds[Int(number % UInt64(seeds.count))]
      try Data(Damage.damaged(seed, number: number)).write(to: URL(fileURLWithPath: path))
      for wantsSky in [false, true] {
        let outcome = try outcome(of: path, wantsSky: wantsSky)
        outcomes[outcome.words, default: 0] += 1
        guard outcome.isFinding else { continue }
        isSound = false
        print("file \(number), \(wantsSky ? "with" : "without") sky: \(outcome.words)")
      }
    }
    for (outcome, count) in outcomes.sorted(by: { $0.value > $1.value }) {
      print("\(count) \(outcome)")
    }
    return isSound
  }

  private static func outcome(
    of path: String, wantsSky: Bool
  ) throws -> (words: String, isFinding: Bool) {
    let clock = ContinuousClock()
    let start = clock.now
    var words: String
    var isFinding = false
    do {
      try ReaderProcess.readThrough(path, wantsSky: wantsSky)
      words = "read"
    } catch let error as FITSError where error.code == .readerEnded {
      // The words in parentheses tell how the reader ended.
      words = error.fault.split(separator: ":")[0].description
      // Traps of Swift come from faults in the reader's own code. An impossible answer may be the
      // reader's own fault too.
      let own = ["(signal \(SIGILL))", "(signal \(SIGTRAP))", "(its answer,"]
      isFinding = own.contains { error.fault.contains($0) }
    } catch let error as FITSError {
      words = "error \(error.code)"
    } catch is NoSkyPositions {
      words = "no sky positions"
    }
    let took = clock.now - start
    return took > limit ? ("took \(took)", true) : (words, isFinding)
  }

  private static func failWithUsage() -> Never {
    fail("give: seed FILE, damage NUMBER FILE OUT, or read FIRST COUNT FOLDER FILE…", 64)
  }

  private static func fail(_ message: String, _ status: CInt) -> Never {
    FileHandle.standardError.write(Data("SkyNetImageFuzz: \(message)\n".utf8))
    exit(status)
  }
}
