import ArgumentParser
import SkyScan

struct MakeSkyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "make-sky", abstract: "Make an image of stars and noise, to try a scan on.",
    discussion: "The same seed gives the same image. A file that is there is not overwritten.")

  @Argument(help: "The FITS file to make.")
  var file: String

  @Option(parsing: .unconditional, help: "Its side in pixels.")
  var size = 2048

  @Option(parsing: .unconditional, help: "How many stars it has.")
  var stars = 1000

  @Option(parsing: .unconditional, help: "What the positions, the fluxes and the noise come from.")
  var seed: UInt64 = 1

  func run() async throws {
    do {
      let sky = try SyntheticSky(width: size, height: size, starCount: stars, seed: seed)
      try await sky.write(to: file)
    } catch {
      throw fail(error)
    }
    Console.standardError.line("made \(file): \(size) × \(size) pixels, \(stars) stars")
    Console.standardError.flush()
  }
}
