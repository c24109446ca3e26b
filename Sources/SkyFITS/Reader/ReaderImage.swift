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
  private let choice: String?
  private let lane: ReaderLane
  /// The reader in which the image is open.
  private var generation: Int
  /// Why the reader ended in a request for this image, which another reader is not asked again.
  private var ending: ReaderEnding?

  /// The number of places per request.
  private static let placesAtOnce = 10_000

  /// - Parameter extension: the image to open; `nil` if the file has only one.
  /// - Throws: ``FITSError``.
  init(_ file: InputFile, extension choice: String?, reader: ReaderProcess) throws {
    self.file = file
    self.choice = choice
    (number, lane) = reader.nextImage()
    let shared = try PixelMemory(isShared: true)
    let opened: (answer: ReaderAnswer, generation: Int)
    do throws(ReaderEnding) {
      opened = try lane.open { [number] () throws(ReaderEnding) in
        try OpenRequest(image: number, file: file, choice: choice, memory: shared)
      }
    } catch {
      throw error.error(path: file.path)
    }
    generation = opened.generation
    guard case .opened(let layout) = try Self.checked(opened.answer, file) else {
      throw lane.refuse(opened.answer).error(path: file.path)
    }
    self.layout = layout
    plain = PlainPixels(layout, of: file)
    memory = plain == nil ? shared : try PixelMemory(isShared: false)
  }

  deinit { lane.close(number) }

  /// The images of a file that can be scanned.
  ///
  /// - Throws: ``FITSError``.
  static func list(_ file: InputFile, reader: ReaderProcess) throws -> [ImageUnit] {
    let (_, lane) = reader.nextImage()
    let answer: ReaderAnswer
    do throws(ReaderEnding) {
      answer = try lane.ask(
        .list(size: file.size), descriptors: [file.descriptor], bytes: file.size)
    } catch {
      throw error.error(path: file.path)
    }
    guard case .listed(let units) = try checked(answer, file) else {
      throw lane.refuse(answer).error(path: file.path)
    }
    return units
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
    if let ending { throw ending.error(path: file.path) }
    let answer: ReaderAnswer
    do throws(ReaderEnding) {
      answer = try lane.ask(request, openIn: &generation, bytes: bytes) {
        [file, number, choice, memory] () throws(ReaderEnding) in
        // The reader does not read the pixels of a plain image.
        let memory = memory.descriptor == nil ? try? PixelMemory(isShared: true) : memory
        guard let memory else { throw .closed }
        return try OpenRequest(image: number, file: file, choice: choice, memory: memory)
      }
    } catch {
      ending = error
      throw error.error(path: file.path)
    }
    return try Self.checked(answer, file)
  }

  /// The answer, unless it is an error.
  private static func checked(_ answer: ReaderAnswer, _ file: InputFile) throws -> ReaderAnswer {
    switch answer {
    case .failed(let error):
      throw FITSError(error.code, path: file.path, fault: error.fault, nextStep: error.nextStep)
    case .noSky(let reason): throw reason
    default: return answer
    }
  }

  private func refused(_ answer: ReaderAnswer) -> FITSError {
    let ending = lane.refuse(answer)
    self.ending = ending
    return ending.error(path: file.path)
  }
}
