import SkyDetection
import SkyFITS
import SkyFiles
import SkyNetCore

extension SectorFiles {
  /// What the proof of the account is for: which files are asked for, by which stamp and blocks they are known, and which
  /// pixels of them are to be read.
  func provenBytes(_ settings: SourceScan.Settings, _ rectangles: [PixelRectangle]) -> ProvenBytes {
    var bytes = ProvenBytes("files")
    bytes.add(settings.grid.width)
    bytes.add(settings.grid.height)
    bytes.add(settings.coding.format.rawValue)
    bytes.add(settings.weightCoding?.format.rawValue) { $0.add($1) }
    bytes.add(all: rectangles) { bytes, rectangle in
      for number in [rectangle.x, rectangle.y, rectangle.width, rectangle.height] {
        bytes.add(number)
      }
    }
    for file in [image, weights] {
      bytes.add(file) { bytes, file in
        bytes.add(all: file.paths) { $0.add($1) }
        bytes.add(file.start)
        bytes.add(file.stamp.state.size)
        bytes.add(file.key.first)
        bytes.add(file.key.second)
        bytes.add(file.challenge) { bytes, numbers in bytes.add(all: numbers) { $0.add($1) } }
        bytes.add(file.digests.bytes)
      }
    }
    return bytes
  }
}
