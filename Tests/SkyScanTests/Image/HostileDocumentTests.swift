import Foundation
import SkyNetCore
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection
@testable import SkyFITS
@testable import SkyFiles
@testable import SkyScan

/// A batch's documents from elsewhere: each one is refused, or has possible contents. None crashes
/// the process.
@Suite("Hostile documents of a batch", .timeLimit(.minutes(20)))
struct HostileDocumentTests {
  /// The replacements for numbers, texts and lists in a document.
  private static var numbers: [Any] {
    [-1, 0, 1, 65_536, Int.max, Int.min, 1e300, -1e300, 1e-300, NSNull(), "a", [Any]()]
  }

  private struct Documents {
    let scan: BatchScan
    let image: FITSImage
    let sky: SectorDocument
    let background: BackgroundDocument
    let sources: SectorDocument
    /// The image's file exists as long as its folder.
    let folder: TemporaryFolder

    init() async throws {
      folder = try TemporaryFolder()
      image = try await folder.sky(width: 64, height: 64, starCount: 6)
      let grid = try SectorGrid(width: 64, height: 64, side: 64, mesh: 32)
      var settings = SourceScan.Settings(grid: grid, coding: image.coding)
      settings.mesh = 32
      settings.cleaning = 1
      settings.kron = DetectionSettings.Kron()
      scan = try BatchScan(image: image, settings: settings)
      sky = try await scan.background(ofSector: 0)
      let found = sky
      background = try scan.background(from: ["0"]) { _ in found }
      sources = try await scan.sources(ofSector: 0, over: background)
    }
  }

  @Test("A background document with any values crashes nothing")
  func background() async throws {
    let documents = try await Documents()
    var refused = 0
    for data in try Self.variants(of: documents.background) {
      do {
        let document = try JSONDecoder().decode(BackgroundDocument.self, from: data)
        // The settings are the document's own, as in `skynet scan --background-file`.
        let scan = try BatchScan(image: documents.image, settings: document.settings)
        _ = try await scan.sources(ofSector: 0, over: document)
      } catch {
        refused += 1
      }
    }
    #expect(refused > 100)
  }

  @Test("A sector document with any values crashes nothing")
  func sector() async throws {
    let documents = try await Documents()
    var refused = 0
    for data in try Self.variants(of: documents.sky) {
      do {
        _ = try documents.scan.background(from: ["0"]) { _ in try Self.read(data) }
      } catch {
        refused += 1
      }
    }
    for data in try Self.variants(of: documents.sources) {
      do {
        let job = try await documents.scan.catalog(from: ["0"], over: documents.background) { _ in
          try Self.read(data)
        }
        _ = try await job.table().csv
      } catch {
        refused += 1
      }
    }
    #expect(refused > 50)
  }

  @Test("A document of a sector outside of the image is refused")
  func wrongSector() async throws {
    let documents = try await Documents()
    for sector in [-1, 1, Int.max] {
      let text = String(decoding: try JSONEncoder().encode(documents.sky), as: UTF8.self)
        .replacing("\"sector\":0", with: "\"sector\":\(sector)")
      let document = try JSONDecoder().decode(SectorDocument.self, from: Data(text.utf8))
      let error = #expect(throws: InvalidScan.self) {
        try documents.scan.background(from: ["0"]) { _ in document }
      }
      #expect(error?.description.contains("a sector that the image does not have") == true)
    }
  }

  @Test("A file without end is read only up to a limit")
  func endlessFile() {
    #expect(throws: SmallFile.Failure.tooLarge) {
      try SmallFile.contents(of: "/dev/zero", most: 3 << 20)
    }
    #expect(throws: SExtractorFileError.self) { try SExtractorFiles(configuration: "/dev/zero") }
  }

  // MARK: Variants

  private static func read(_ data: Data) throws -> SectorDocument {
    try JSONDecoder().decode(SectorDocument.self, from: data)
  }

  /// The document with each value replaced in turn, and each list made longer and shorter.
  private static func variants(of document: some Encodable) throws -> [Data] {
    let whole = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(document))
    var variants: [Data] = []
    func visit(_ value: Any, _ rebuild: (Any) -> Any) throws {
      func add(_ other: Any) throws {
        variants.append(try JSONSerialization.data(withJSONObject: rebuild(other)))
      }
      switch value {
      case let object as [String: Any]:
        for (key, inner) in object {
          try visit(inner) { other in rebuild(object.merging([key: other]) { $1 }) }
          var without = object
          without[key] = nil
          try add(without)
        }
      case let list as [Any]:
        try add([Any]())
        if let first = list.first { try add(list + [first]) }
        // The values of a long list are alike, so three are enough.
        for (index, inner) in list.enumerated().prefix(3) {
          try visit(inner) { other in
            var changed = list
            changed[index] = other
            return rebuild(changed)
          }
        }
      default:
        for other in numbers { try add(other) }
      }
    }
    try visit(whole) { $0 }
    return variants
  }
}
