import SkyDetection
import SkyTestSupport
import Testing

@testable import SkyFITS

/// Images with more than two axes, of which the first plane is read.
@Suite("Cubes")
struct CubeTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func cube(_ axes: [Int], bitpix: Int = 16) -> FITSUnit {
    let count = axes.reduce(1, *)
    return FITSUnit(
      bitpix: bitpix, axes: axes,
      data: bitpix == 16
        ? bigEndian((0..<count).map { Int16($0) }) : bigEndian((0..<count).map { Double($0) }))
  }

  @Test(
    "The first plane is read, from a plain file and through CFITSIO",
    arguments: [([3, 2, 4], 4), ([3, 2, 1], 1), ([3, 2, 1, 1], 1), ([3, 2, 2, 3], 6)], [16, -64])
  func plane(shape: ([Int], planes: Int), bitpix: Int) async throws {
    let path = try folder.write("cube.fits", cube(shape.0, bitpix: bitpix).bytes)
    let image = try await FITSImage.open(path)
    #expect(image.width == 3 && image.height == 2 && image.planeCount == shape.planes)
    let all = PixelRectangle(x: 0, y: 0, width: 3, height: 2)
    #expect(try await image.values(in: all) == [0, 1, 2, 3, 4, 5])
    #expect((image.layout.plain != nil) == (bitpix == 16))
  }

  @Test("A cube is one of a file's images, and several need a choice")
  func choice() async throws {
    let plane = FITSUnit(extension: 16, axes: [2, 1], data: bigEndian([7, 8] as [Int16]))
    let mixed = try folder.write("mixed.fits", cube([3, 2, 4]).bytes + plane.bytes)
    #expect(try await FITSImage.images(in: mixed).map(\.number) == [0, 1])
    await #expect(throws: FITSError.self) { try await FITSImage.open(mixed) }
    #expect(try await FITSImage.open(mixed, extension: "0").planeCount == 4)
    let second = FITSUnit(
      extension: 16, axes: [2, 1, 2], data: bigEndian([1, 2, 3, 4] as [Int16]))
    let cubes = try folder.write("cubes.fits", cube([3, 2, 4]).bytes + second.bytes)
    let error = await #expect(throws: FITSError.self) { try await FITSImage.open(cubes) }
    #expect(error?.code == .severalImages && error?.fault.contains("[0] 3 × 2 × 4") == true)
    #expect(try await FITSImage.images(in: cubes).map(\.number) == [0, 1])
  }
}
