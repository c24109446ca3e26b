import SkyDetection
import SkyTestSupport
import Testing

@testable import SkyFITS

@Suite struct FITSFaultTests {
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

  @Test func noSuchFile() async {
    #expect(await fault(folder.file("missing.fits"))?.code == .notFound)
  }

  @Test func aFileThatIsOnlyThereGzippedIsNotTheOneAskedFor() async throws {
    _ = try folder.write("image.fits.gz", [0x1f, 0x8b])
    #expect(await fault(folder.file("image.fits"))?.code == .notFound)
  }

  @Test func aDirectory() async {
    #expect(await fault(folder.path)?.code == .notAFile)
  }

  @Test func aDevice() async {
    #expect(await fault("/dev/null")?.code == .notAFile)
  }

  @Test func anEmptyFile() async throws {
    #expect(try await fault([])?.code == .notFITS)
  }

  @Test func notFITS() async throws {
    let text = Array(String(repeating: "Call me Ishmael. ", count: 500).utf8)
    #expect(try await fault(text)?.code == .notFITS)
  }

  @Test func somethingElseGzipped() async throws {
    #expect(try await fault([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3])?.code == .truncated)
  }

  @Test func aHeaderCutOff() async throws {
    let unit = FITSUnit(bitpix: 16, axes: [100, 100], data: [UInt8](repeating: 1, count: 20000))
    #expect(try await fault(Array(unit.bytes.prefix(150)))?.code == .truncated)
  }

  @Test(arguments: [2880, 2881, 12000, 22879, 22900, 23039])
  func pixelsMissingAtTheEnd(length: Int) async throws {
    let unit = FITSUnit(bitpix: 16, axes: [100, 100], data: [UInt8](repeating: 1, count: 20000))
    #expect(try await fault(Array(unit.bytes.prefix(length)))?.code == .truncated)
  }

  @Test(arguments: [[], [100], [0, 100], [100, 0], [0]])
  func noImageWithPixels(axes: [Int]) async throws {
    let unit = FITSUnit(bitpix: 16, axes: axes, data: [UInt8](repeating: 0, count: 200))
    #expect(try await fault(unit.bytes)?.code == .noImage)
  }

  @Test func threeAxesAreNamed() async throws {
    let unit = FITSUnit(bitpix: 8, axes: [5, 4, 3], data: [UInt8](repeating: 0, count: 60))
    let error = try await fault(unit.bytes)
    #expect(error?.code == .tooManyAxes)
    #expect(error?.fault.contains("5 × 4 × 3") == true)
  }

  @Test func anImageAfterACubeIsFound() async throws {
    let cube = FITSUnit(bitpix: 8, axes: [5, 4, 3], data: [UInt8](repeating: 0, count: 60))
    let plane = FITSUnit(extension: 8, axes: [5, 4], data: [UInt8](repeating: 0, count: 20))
    let path = try folder.write("image.fits", cube.bytes + plane.bytes)
    let image = try await FITSImage.open(path)
    #expect(image.width == 5 && image.height == 4)
  }

  @Test func tooLarge() async throws {
    let unit = FITSUnit(bitpix: 8, axes: [FITSImage.maximumSide + 1, 2], data: [])
    #expect(try await fault(unit.bytes)?.code == .tooLarge)
  }

  @Test(arguments: [("BSCALE", "0"), ("BSCALE", "'wide'"), ("BLANK", "'none'")])
  func keywordsThatMakeNoValues(keyword: String, value: String) async throws {
    let unit = FITSUnit(bitpix: 16, axes: [1, 1], [(keyword, value)], data: [0, 1])
    #expect(try await fault(unit.bytes)?.code == .invalidHeader)
  }
}
