import Foundation
import SkyNetCore
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection
@testable import SkyFITS
@testable import SkyScan

private let environment = ProcessInfo.processInfo.environment

/// The scan over the background that sep made finds sep's sources.
/// `Benchmarks/run given-background` writes sep's maps and sources.
@Suite(
  "Sources over a given background",
  .enabled(
    if: environment["SKYNET_SEP_MAPS"] != nil && environment["SKYNET_TEST_DATA"] != nil,
    "run Benchmarks/run given-background"))
struct GivenBackgroundTests {
  private struct Reference {
    let x: Double
    let y: Double
    let area: Int
    let flux: Double
    let apertureFlux: Double
    let isParted: Bool
    /// Whether other sources have pixels in the aperture. sep leaves them out, and SExtractor
    /// replaces them.
    let isShared: Bool

    init(line: Substring) throws {
      let fields = try line.split(separator: ",").map { try #require(Double($0)) }
      (x, y, area) = (fields[0], fields[1], Int(fields[2]))
      (flux, apertureFlux) = (fields[3], fields[4])
      (isParted, isShared) = (fields[5] == 1, fields[6] == 1)
    }
  }

  @Test("The scan over sep's background finds sep's sources")
  func sep() async throws {
    let folder = try #require(environment["SKYNET_TEST_DATA"])
    let maps = try #require(environment["SKYNET_SEP_MAPS"])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { FileManager.default.fileExists(atPath: "\(maps)/\($0).csv") }.sorted()
    #expect(!names.isEmpty)
    for name in names {
      let sources = try await scan("\(folder)/\(name)", over: "\(maps)/\(name)")
      let text = try String(contentsOfFile: "\(maps)/\(name).csv", encoding: .utf8)
      let references = try text.split(whereSeparator: \.isNewline).map(Reference.init)
      compare(sources, references, name)
    }
  }

  /// Reads an image and the maps, and finds the sources of their difference.
  private func scan(_ path: String, over maps: String) async throws -> [Source] {
    func values(_ path: String) async throws -> (image: FITSImage, values: [Float]) {
      let image = try await FITSImage.open(path)
      let whole = PixelRectangle(x: 0, y: 0, width: image.width, height: image.height)
      return (image, image.coding.values(of: try await image.pixels(in: whole)))
    }
    let (image, pixels) = try await values(path)
    let levels = try await values("\(maps).level.fits").values
    let noise = Double(try #require(try await values("\(maps).noise.fits").values.first))
    let (width, height) = (image.width, image.height)
    let settings = try floatSettings(width: width, height: height)
    let patch = floatPatch(width: width, height: height, zip(pixels, levels).map { $0 - $1 })
    let nothing = MeshGrid(columns: 2, rows: 2, values: [0, 0, 0, 0])
    let background = Background(levels: nothing, noise: noise, mesh: 64)
    let sector = SourceScan.Sector(.detection(0, patch, background.patch(of: patch.rectangle)))
    guard
      case .sources(let list, _, _) = try SourceScan().findings(in: sector, settings: settings)
        .found
    else { return [] }
    return list.sources
  }

  private func compare(_ sources: [Source], _ references: [Reference], _ name: String) {
    #expect(sources.count == references.count, "\(name)")
    var (farthest, otherAreas, flux, aperture) = (0.0, 0, 0.0, 0.0)
    for reference in references {
      let distances = sources.map { hypot($0.x - reference.x, $0.y - reference.y) }
      guard let nearest = distances.indices.min(by: { distances[$0] < distances[$1] }) else {
        return
      }
      farthest = max(farthest, distances[nearest])
      guard !reference.isParted else { continue }
      let source = sources[nearest]
      if Int(source.area) != reference.area { otherAreas += 1 }
      flux = max(flux, abs(source.flux / reference.flux - 1))
      guard !reference.isShared else { continue }
      aperture = max(aperture, abs(source.apertureFluxes[0] / reference.apertureFlux - 1))
    }
    print(
      "\(name): \(sources.count) sources, sep \(references.count); at most \(farthest) pixels apart; "
        + "\(otherAreas) of other areas; FLUX_ISO within \(flux), FLUX_APER within \(aperture)")
    #expect(farthest <= 0.001 && otherAreas == 0 && flux <= 1e-4 && aperture <= 0.01, "\(name)")
  }
}
