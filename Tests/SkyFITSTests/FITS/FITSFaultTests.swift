import SkyDetection
import SkyTestSupport
import Testing

@testable import SkyFITS

@Suite("Faulty FITS files")
struct FITSFaultTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func fault(_ path: String) async -> FITSError? {
    let error = await #expect(throws: FITSError.self) { _ = try await FITSImage.open(path) }
    if let error { #expect(error.description.hasPrefix(path + ": ")) }
    return error
  }

  private func fault(_ bytes: [UInt8]) async throws -> FITSError? {
    await fault(try folder.write("image.fits", bytes))
  }

  @Test("A missing file is reported as not found")
  func missing() async {
    #expect(await fault(folder.file("missing.fits"))?.code == .notFound)
  }

  @Test("A gzipped file does not stand in for the file that was named")
  func gzippedName() async throws {
    _ = try folder.write("image.fits.gz", [0x1f, 0x8b])
    #expect(await fault(folder.file("image.fits"))?.code == .notFound)
  }

  @Test("A directory is refused as not a file")
  func directory() async {
    #expect(await fault(folder.path)?.code == .notAFile)
  }

  @Test("A device is refused as not a file")
  func device() async {
    #expect(await fault("/dev/null")?.code == .notAFile)
  }

  @Test("An empty file is refused as not FITS")
  func empty() async throws {
    #expect(try await fault([])?.code == .notFITS)
  }

  @Test("A text file is refused as not FITS")
  func text() async throws {
    let text = Array(String(repeating: "Call me Ishmael. ", count: 500).utf8)
    #expect(try await fault(text)?.code == .notFITS)
  }

  @Test("A damaged gzip file is refused as truncated")
  func gzip() async throws {
    #expect(try await fault([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3])?.code == .truncated)
  }

  @Test("A header that is cut off is refused as truncated")
  func header() async throws {
    let unit = FITSUnit(bitpix: 16, axes: [100, 100], data: [UInt8](repeating: 1, count: 20000))
    #expect(try await fault(Array(unit.bytes.prefix(150)))?.code == .truncated)
  }

  @Test(
    "A file without its last pixels is refused as truncated",
    arguments: [2880, 2881, 12000, 22879])
  func pixels(length: Int) async throws {
    let unit = FITSUnit(bitpix: 16, axes: [100, 100], data: [UInt8](repeating: 1, count: 20000))
    #expect(try await fault(Array(unit.bytes.prefix(length)))?.code == .truncated)
  }

  @Test(
    "A file without pixels is refused as having no image",
    arguments: [[], [100], [0, 100], [100, 0], [0]])
  func noImage(axes: [Int]) async throws {
    let unit = FITSUnit(bitpix: 16, axes: axes, data: [UInt8](repeating: 0, count: 200))
    #expect(try await fault(unit.bytes)?.code == .noImage)
  }

  @Test("A cube is an image, and so is the one after it")
  func cube() async throws {
    let cube = FITSUnit(bitpix: 8, axes: [5, 4, 3], data: [UInt8](repeating: 0, count: 60))
    let plane = FITSUnit(extension: 8, axes: [5, 4], data: [UInt8](repeating: 0, count: 20))
    let path = try folder.write("image.fits", cube.bytes + plane.bytes)
    #expect(await fault(path)?.description.contains("has 2 images") == true)
    let image = try await FITSImage.open(path, extension: "1")
    #expect(image.width == 5 && image.height == 4)
  }

  @Test("An image with a side over the maximum is refused")
  func tooLarge() async throws {
    let unit = FITSUnit(bitpix: 8, axes: [FITSImage.maximumSide + 1, 2], data: [])
    #expect(try await fault(unit.bytes)?.code == .tooLarge)
  }

  @Test(
    "Keywords that give no pixel values are refused",
    arguments: [("BSCALE", "0"), ("BSCALE", "'wide'"), ("BLANK", "'none'")])
  func keywords(keyword: String, value: String) async throws {
    let unit = FITSUnit(bitpix: 16, axes: [1, 1], [(keyword, value)], data: [0, 1])
    #expect(try await fault(unit.bytes)?.code == .invalidHeader)
  }
}
