import Foundation
import SkyDetection

/// The cost of detection alone: frames that are arrays of pixels already, in one thread, without files, positions in
/// the sky or catalogues.
enum DetectionBench {
  static func run(_ given: Options) throws {
    var options = given
    guard let folder = try options.text("--folder") else {
      throw WrongArguments("detection takes --folder, with frames of 16 bits")
    }
    let rounds = try options.number("--rounds") ?? 3
    try options.end()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".fits") }.sorted()
    let frames = try names.map { try Frame(path: folder + "/" + $0) }
    guard !frames.isEmpty else { throw WrongArguments("\(folder) has no frames") }
    let detector = SourceDetector()
    for _ in 0..<rounds {
      var sources = 0
      let begin = ProcessorTime.ofThread
      for frame in frames {
        sources += try detector.sources(
          in: frame.pixels, width: frame.width, height: frame.height
        ).count
      }
      let milliseconds = (ProcessorTime.ofThread - begin) * 1000 / Double(frames.count)
      print(
        "a frame: \((milliseconds * 1000).rounded() / 1000) ms, \(sources) sources in all")
    }
  }

  /// The pixels of a FITS file with one image of 16 bits whose header begins as the standard says.
  private struct Frame {
    let width: Int
    let height: Int
    let pixels: [Float]

    init(path: String) throws {
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      var values: [String: Double] = [:]
      var offset = 0
      while offset + 80 <= bytes.count {
        let card = String(decoding: bytes[offset..<offset + 80], as: UTF8.self)
        offset += 80
        if card.hasPrefix("END ") { break }
        let name = card.prefix(8).trimmingCharacters(in: .whitespaces)
        let value = card.dropFirst(10).prefix { $0 != "/" }.trimmingCharacters(in: .whitespaces)
        values[name] = Double(value)
      }
      let start = (offset + 2879) / 2880 * 2880
      let (width, height) = (Int(values["NAXIS1"] ?? 0), Int(values["NAXIS2"] ?? 0))
      let count = width * height
      guard values["BITPIX"] == 16, count > 0, start + 2 * count <= bytes.count else {
        throw WrongArguments("\(path) has no image of 16 bits")
      }
      let zero = Float(values["BZERO"] ?? 0)
      (self.width, self.height) = (width, height)
      pixels = (0..<count).map { index in
        let place = start + 2 * index
        let stored = Int16(bitPattern: UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1]))
        return Float(stored) + zero
      }
    }
  }
}
