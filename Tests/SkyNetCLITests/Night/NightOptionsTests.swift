import ArgumentParser
import Testing

@testable import ImagesWorkload
@testable import SkyNetCLI
@testable import SkyNetCommand

@Suite("The options for many images")
struct NightOptionsTests {
  private func engage(_ line: String) async throws -> Engage<Images> {
    let arguments = ["engage"] + line.split(separator: " ").map(String.init)
    return try #require(try await SkyNet.command(arguments) as? Engage<Images>)
  }

  @Test("Several values may follow --image, and --image may be repeated")
  func values() async throws {
    let line =
      "--slots 2 --image a.fits b.fits --image c.fits d.fits --clean --catalog o/{name}.csv"
    let command = try await engage(line)
    let images = command.workload
    #expect(images.named.image == ["a.fits", "b.fits", "c.fits", "d.fits"])
    #expect(images.scan.clean && command.options.systems.slots == 2)
    #expect(images.places.catalog == ["o/{name}.csv"] && images.isNight)
  }

  @Test(
    "One image with plain outputs is a run of its own; a list, a pattern or a summary make a night")
  func kinds() async throws {
    let lines = [
      ("--image a.fits", false), ("--image a.fits --catalog a.csv --picture a.png", false),
      ("--image a.fits --catalog {name}.csv", true),
      ("--image a.fits --catalog a.csv --picture {name}.png", true),
      ("--image a.fits b.fits --catalog {name}.csv", true),
      ("--images list --catalog {name}.csv", true), ("--images - --catalog {name}.csv", true),
      ("--image a.fits --catalog a.csv --summary s.csv", true),
    ]
    for (line, isNight) in lines {
      #expect(try await engage(line).workload.isNight == isNight, "\(line)")
    }
  }

  @Test(
    "A mistake with many images is named",
    arguments: [
      ("--image a.fits b.fits", "2 images cannot share standard output"),
      ("--images list", "a list of images cannot share standard output"),
      ("--image a.fits --summary s.csv", "with --summary, a catalogue needs a file"),
      ("--summary s.csv", "--summary is for programs and the scan of an image"),
      ("--summary s.csv --total 5", "give -- PROGRAM or --image FILE too"),
      (
        "--image a.fits b.fits --catalog {name}.csv --total 5",
        "--total is for simulated scans, and --image"
      ),
      ("--images list --catalog {name}.csv --seed 1", "--seed is for simulated scans"),
      ("--image a.fits b.fits[2] --extension 3 --catalog {name}.csv", "--extension 3"),
      ("--image a.fits b.fits --catalog {name}.csv --journal ./b.fits", "--image and --journal"),
      ("--images list --catalog {name}.csv --summary ./list", "--images and --summary"),
      ("--images list --catalog {name}.csv --summary s --results s", "the same file"),
      ("--image a.fits b.fits --catalog {name}.txt", ".ecsv"),
      ("--images a --images b --catalog {name}.csv", "--images is given 2 times"),
      ("--image --catalog {name}.csv", "--image"),
      ("--image a.fits b.fits --catalog {name}.csv --retry-failed", "--journal FILE"),
    ])
  func mistakes(line: String, words: String) async {
    await #expect("\(line)") {
      _ = try await engage(line)
    } throws: { error in
      let text = SkyNet.text(of: error)
      if !text.contains(words) { print("\(line): \(text)") }
      return text.contains(words)
    }
  }

  @Test("Results and events may go to standard output, where catalogues have files")
  func standardOutput() async throws {
    let command = try await engage("--image a.fits b.fits --catalog {name}.csv --results -")
    #expect(command.options.results.printing == "results")
    _ = try await engage("--images list --catalog {name}.csv --events -")
  }
}
