import SkyFITS
import SkyFiles
import TestSupport
import Testing

@testable import SkyScan

@Suite("What the proof of the account is for", .ownThreads)
struct SectorFilesProofTests {
  private func reference(_ paths: String...) -> FileReference {
    let stamp = FileStamp(
      machine: nil, state: FileState(device: 1, inode: 2, size: 3, modified: 4, changed: 5))
    return FileReference(
      paths: paths, stamp: stamp, start: 0, key: .random(), challenge: [], digests: [])
  }

  @Test("Other files, or the same in another role, are something else to prove for")
  func roles() {
    let (a, b) = (reference("/a.fits"), reference("/b.fits"))
    let all = [
      SectorFiles(image: a), SectorFiles(image: b), SectorFiles(weights: a),
      SectorFiles(image: a, weights: a), SectorFiles(image: reference("/a.fits", "/b.fits")),
      SectorFiles(image: a, weights: b), SectorFiles(),
    ]
    #expect(Set(all.map(\.provenBytes)).count == all.count)
  }

  @Test("What is proved for stays as it is from version to version")
  func bytes() {
    let files = SectorFiles(image: reference("/a", "/b"), weights: reference("/c"))
    #expect(files.provenBytes == Array("image\0/a\0/b\0\0weights\0/c\0\0".utf8))
  }
}
