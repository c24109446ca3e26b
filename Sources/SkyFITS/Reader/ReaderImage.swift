import Foundation
import SkyDetection

/// An image that is read by a reader process.
final class ReaderImage: ImageSource {
  let memory: PixelMemory
  let layout: FITSLayout
  /// The image's pixels, if this process can read them itself.
  private let plain: PlainPixels?
  private let file: InputFile
  private let number: Int
  private let reader: ReaderProcess

  /// The number of places per request.
  private static let placesAtOnce = 10_000

  /// - Parameter extension: the image to open; `nil` if the file has only one.
  /// - Throws: ``FITSError``.
  init(_ file: InputFile, extension choice: String?, reader: ReaderProcess) throws {
    self.file = file
    self.reader = reader
    number = reader.nextImage()
    let shared = try PixelMemory(isShared: true)
    guard let descriptor = shared.descriptor else {
      throw ReaderEnding.closed.error(path: file.path)
    }
    let answer = try Self.ask(
      reader, file, .open(image: number, size: file.size, extension: choice),
      descriptors: [file.descriptor, descriptor], bytes: file.size)
    guard case .opened(let layout) = answer else { throw Self.refused(answer, reader, file) }
    self.layout = layout
    shared.closeDescriptor()
    plain = PlainPixels(layout, of: file)
    memory = plain == nil ? shared : try PixelMemory(isShared: false)
  }

  func read(_ rectangle: PixelRectangle) throws {
    if let plain { return try plain.read(rectangle, to: memory.bytes) }
    // A tile has the image's full width, so the reader decompresses whole rows.
    let rows = layout.width * rectangle.height * layout.coding.format.bytesPerPixel
    let answer = try ask(.read(image: number, rectangle), bytes: rows + layout.contentSize)
    guard answer == .done else { throw refused(answer) }
  }

  func readApart(_ rectangle: PixelRectangle) throws -> Data? {
    guard let plain else { return nil }
    let count = rectangle.width * rectangle.height * layout.coding.format.bytesPerPixel
    guard let start = malloc(count) else { return nil }
    do {
      try plain.read(rectangle, to: UnsafeMutableRawBufferPointer(start: start, count: count))
    } catch {
      free(start)
      throw error
    }
    return Data(bytesNoCopy: start, count: count, deallocator: .free)
  }

  func checkSky() throws {
    let answer = try ask(.checkSky(image: number), bytes: layout.header.utf8.count)
    guard answer == .done else { throw refused(answer) }
  }

  func sky(_ places: [PixelPosition]) throws -> [SkyPosition?] {
    var positions: [SkyPosition?] = []
    positions.reserveCapacity(places.count)
    while positions.count < places.count {
      let part = places[positions.count...].prefix(Self.placesAtOnce)
      let answer = try ask(
        .sky(image: number, Array(part)),
        bytes: layout.header.utf8.count + part.count * ReaderLimits.bytesPerPlace)
      guard case .positions(let found) = answer, found.count == part.count else {
        throw refused(answer)
      }
      positions += found
    }
    return positions
  }

  private func ask(_ request: ReaderRequest, bytes: Int) throws -> ReaderAnswer {
    try Self.ask(reader, file, request, bytes: bytes)
  }

  private static func ask(
    _ reader: ReaderProcess, _ file: InputFile, _ request: ReaderRequest,
    descriptors: [CInt] = [], bytes: Int
  ) throws -> ReaderAnswer {
    let answer: ReaderAnswer
    do throws(ReaderEnding) {
      answer = try reader.ask(request, descriptors: descriptors, bytes: bytes)
    } catch {
      throw error.error(path: file.path)
    }
    switch answer {
    case .failed(let error):
      throw FITSError(error.code, path: file.path, fault: error.fault, nextStep: error.nextStep)
    case .noSky(let reason): throw reason
    default: return answer
    }
  }

  private func refused(_ answer: ReaderAnswer) -> FITSError {
    Self.refused(answer, reader, file)
  }

  private static func refused(
    _ answer: ReaderAnswer, _ reader: ReaderProcess, _ file: InputFile
  ) -> FITSError {
    reader.refuse(answer).error(path: file.path)
  }
}
