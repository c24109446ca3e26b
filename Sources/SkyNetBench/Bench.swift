import Foundation

/// Measures parts of SkyNet on their own.
@main
struct Bench {
  static func main() async {
    do {
      try await run(Array(CommandLine.arguments.dropFirst()))
    } catch let wrong as WrongArguments {
      FileHandle.standardError.write(Data("SkyNetBench: \(wrong.message)\n".utf8))
      exit(2)
    } catch {
      FileHandle.standardError.write(Data("SkyNetBench: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ arguments: [String]) async throws {
    let options = Options(arguments.dropFirst())
    switch arguments.first {
    case "decisions": try decisions(options)
    case "journal": try await JournalBench.run(options)
    case "views": try ViewBench.run(options)
    case "handshakes": try HandshakeBench.run(options)
    case "detection": try DetectionBench.run(options)
    default:
      throw WrongArguments(
        """
        usage: SkyNetBench decisions [--systems N] [--slots N] [--tasks N]
               SkyNetBench journal [--tasks N] [--rate N] [--in-flight N] [--runs N]
               SkyNetBench views [--systems N] [--tasks N]
               SkyNetBench handshakes [--connections N] [--runs N]
                 [--certificate FILE --key FILE --authority FILE]
               SkyNetBench detection --folder DIR [--rounds N]
        """)
    }
  }

  private static func decisions(_ given: Options) throws {
    var options = given
    let systems = try options.number("--systems") ?? 1000
    let slots = try options.number("--slots") ?? 16
    let tasks = try options.number("--tasks") ?? 1_000_000
    try options.end()
    // The small cluster comes first, while the process's memory is still small, as it would be in a
    // small cluster.
    let small = try Measurement(systems: 10, slots: slots, tasks: tasks)
    print(small)
    let large = try Measurement(systems: systems, slots: slots, tasks: tasks)
    print(large)
    print(large.compared(to: small))
  }
}
