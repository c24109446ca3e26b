import SkyDetection
import SkyFITS
import SkyFiles
import Testing

@testable import SkyScan

@Suite("What the proof of the account is for")
struct SectorFilesProofTests {
  private let key = DigestKey.random()

  private func reference(
    _ paths: String..., start: Int = 0, challenge: [Int]? = [1], digests: [UInt64] = [2]
  ) -> FileReference {
    let stamp = FileStamp(
      machine: nil, state: FileState(device: 1, inode: 2, size: 3, modified: 4, changed: 5))
    return FileReference(
      paths: paths, stamp: stamp, start: start, key: key, challenge: challenge, digests: digests)
  }

  @Test("Other files, parts of them, or the same in another role, are something else to prove for")
  func roles() throws {
    let (a, b) = (reference("/a.fits"), reference("/b.fits"))
    let all = [
      SectorFiles(image: a), SectorFiles(image: b), SectorFiles(weights: a),
      SectorFiles(image: a, weights: a), SectorFiles(image: reference("/a.fits", "/b.fits")),
      SectorFiles(image: a, weights: b), SectorFiles(),
      SectorFiles(image: reference("/a.fits", start: 2880)),
      SectorFiles(image: reference("/a.fits", challenge: nil)),
      SectorFiles(image: reference("/a.fits", challenge: [])),
      SectorFiles(image: reference("/a.fits", digests: [3])),
    ]
    let rectangle = PixelRectangle(x: 0, y: 0, width: 2, height: 2)
    func bytes(
      _ files: SectorFiles, width: Int = 10, format: PixelCoding.Format = .int16,
      _ rectangles: [PixelRectangle]
    ) throws -> ProvenBytes {
      let grid = try SectorGrid(width: width, height: 10, side: 64)
      let settings = SourceScan.Settings(grid: grid, coding: PixelCoding(format: format))
      return files.provenBytes(settings, rectangles)
    }
    let files = SectorFiles(image: a)
    let distinct = Set(
      try all.map { try bytes($0, [rectangle]) } + [
        bytes(files, []), bytes(files, [rectangle, rectangle]),
        bytes(files, [PixelRectangle(x: 1, y: 0, width: 2, height: 2)]),
        bytes(files, width: 11, [rectangle]), bytes(files, format: .float32, [rectangle]),
      ])
    #expect(distinct.count == all.count + 5)
  }
}
