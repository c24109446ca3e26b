import ArgumentParser
import SkyNetCommand
import SkyScan

struct MakeSkyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "make-sky", abstract: "Make an image of stars and noise, to try a scan on.",
    discussion: "The same seed gives the same image. An existing file is not overwritten.")

  @Argument(help: "The FITS file to make; - is standard output.", completion: .file())
  var file: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The image's side, 32 to 32768.", valueName: "pixels"))
  var size = 2048

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The image's height, where it is no square.", valueName: "pixels"))
  var height: Int?

  @Option(
    parsing: .unconditional,
    help:
      "How many stars the image has: at most one in 16 × 16 pixels; in 32 × 32 where that is enough."
  )
  var stars = 1000

  @Option(parsing: .unconditional, help: "The seed of the positions, the fluxes and the noise.")
  var seed: UInt64 = 1

  func run() async throws {
    do {
      let sky = try SyntheticSky(
        width: size, height: height ?? size, starCount: stars, seed: seed)
      if let stopped = try await write(sky) { throw stopped }
    } catch let stopped as ExitCode {
      throw stopped
    } catch {
      throw fail(error)
    }
    Console.standardError.line(
      "made \(file): \(size) × \(height ?? size) pixels, \(stars) stars")
    Console.standardError.flush()
  }

  /// Writes the image. Returns `nil` when done, or the exit status if a signal stopped it; no file
  /// is left then.
  private func write(_ sky: SyntheticSky) async throws -> ExitCode? {
    try await withThrowingTaskGroup(of: ExitCode?.self) { group in
      group.addTask { [file] in
        try await sky.write(to: file)
        return nil
      }
      group.addTask {
        var stopped: ExitCode?
        await Signals.watch { _, status in
          stopped = status
          return false
        }
        return stopped
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }
}
