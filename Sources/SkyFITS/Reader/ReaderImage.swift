import Foundation
import SkyDetection

/// An image that is read by a reader process. It is closed there when the last reference goes.
final class ReaderImage: ImageSource {
  let memory: PixelMemory
  let layout: FITSLayout
  /// The image's pixels, if this process can read them itself.
  private let plain: PlainPixels?
  private let file: InputFile
  private let choice: ImageChoice
  private let readers: ReaderProcess
  private var place: Place
  /// Why the image is not read any more, after a request for it ended a reader, or the file changed.
  /// There is no second try, as the file would end the next reader too.
  private var failure: FITSError?

  /// Where the image is open.
  private struct Place {
    var reader: Reader
    var number: Int
    var layout: FITSLayout
  }

  /// The number of places per request.
  private static let placesAtOnce = 10_000

  /// - Throws: ``FITSError``.
  init(_ file: InputFile, _ choice: ImageChoice, reader readers: ReaderProcess) throws {
    self.file = file
    self.choice = choice
    self.readers = readers
    let shared = try PixelMemory(isShared: true)
    place = try Self.opened(file, choice, shared, readers)
    layout = place.layout
    plain = PlainPixels(layout, of: file)
    // The descriptor stays open if another reader may have to map the memory.
    memory = plain == nil ? shared : try PixelMemory(isShared: false)
    if plain != nil { readers.release(place.reader) }
  }

  deinit { leave() }

  private func leave() {
    place.reader.close(image: place.number)
    if plain == nil { readers.release(place.reader) }
  }

  /// The reader is busy with the image afterwards, see ``ReaderProcess/release(_:)``.
  private static func opened(
    _ file: InputFile, _ choice: ImageChoice, _ memory: PixelMemory, _ readers: ReaderProcess
  ) throws -> Place {
    guard let descriptor = memory.descriptor else {
      throw ReaderEnding.closed.error(path: file.path)
    }
    let number = readers.nextImage()
    let (answer, reader): (ReaderAnswer, Reader)
    do throws(ReaderEnding) {
      (answer, reader) = try readers.begin(
        .open(
          image: number, size: file.size, extension: choice.extension,
          headerFile: choice.headerFile?.text),
        descriptors: [file.descriptor, descriptor],
        bytes: file.size + (choice.headerFile?.text.utf8.count ?? 0))
    } catch {
      throw error.error(path: file.path)
    }
    if case .opened(let layout) = answer {
      return Place(reader: reader, number: number, layout: layout)
    }
    readers.release(reader)
    throw Self.error(answer, file) ?? readers.refuse(answer, of: reader).error(path: file.path)
  }

  func read(_ rectangle: PixelRectangle) throws {
    if let plain { return try plain.read(rectangle, to: memory.bytes) }
    // A tile has the image's full width, so the reader decompresses whole rows.
    let rows = layout.width * rectangle.height * layout.coding.format.bytesPerPixel
    let answer = try ask(bytes: rows + layout.contentSize) { .read(image: $0, rectangle) }
    guard answer == .done else { throw refused(answer) }
  }

  func readApart(_ rectangle: PixelRectangle) throws -> Data? {
    guard let plain else { return nil }
    let count = rectangle.width * rectangle.height * layout.coding.format.bytesPerPixel
    guard let start = HugePages.allocate(count) else { return nil }
    do {
      try plain.read(rectangle, to: UnsafeMutableRawBufferPointer(start: start, count: count))
    } catch {
      free(start)
      throw error
    }
    return Data(bytesNoCopy: start, count: count, deallocator: .free)
  }

  func checkSums() throws -> FITSSums {
    let answer = try ask(bytes: layout.contentSize) { .checkSums(image: $0) }
    guard case .sums(let sums) = answer else { throw refused(answer) }
    return sums
  }

  func checkSky() throws {
    let answer = try ask(bytes: layout.headerBytes) { .checkSky(image: $0) }
    guard answer == .done else { throw refused(answer) }
  }

  func sky(_ places: [PixelPosition]) throws -> [SkyPosition?] {
    var positions: [SkyPosition?] = []
    positions.reserveCapacity(places.count)
    while positions.count < places.count {
      let part = Array(places[positions.count...].prefix(Self.placesAtOnce))
      let answer = try ask(
        bytes: layout.headerBytes + part.count * ReaderLimits.bytesPerPlace
      ) { .sky(image: $0, part) }
      guard case .positions(let found) = answer, found.count == part.count else {
        throw refused(answer)
      }
      positions += found
    }
    return positions
  }

  func world(_ places: [PixelPosition]) throws -> WorldPlaces {
    var whole: WorldPlaces?
    // An empty list still asks for the system.
    repeat {
      let part = Array(places[(whole?.positions.count ?? 0)...].prefix(Self.placesAtOnce))
      let answer = try ask(
        bytes: layout.headerBytes + part.count * ReaderLimits.bytesPerPlace
      ) { .world(image: $0, part) }
      guard case .world(let found) = answer, found.positions.count == part.count,
        whole == nil || whole?.system == found.system
      else { throw refused(answer) }
      whole = WorldPlaces(
        system: found.system, positions: (whole?.positions ?? []) + found.positions)
    } while (whole?.positions.count ?? 0) < places.count
    return whole ?? WorldPlaces(system: WorldSystem(axes: .other), positions: [])
  }

  /// Asks for something about the image, by its number. If another file has ended the reader, the
  /// image is opened in another one, once.
  private func ask(bytes: Int, _ request: (Int) -> ReaderRequest) throws -> ReaderAnswer {
    if let failure { throw failure }
    if let answer = try askReader(bytes: bytes, request) { return answer }
    try reopen()
    guard let answer = try askReader(bytes: bytes, request) else {
      throw ReaderEnding.closed.error(path: file.path)
    }
    return answer
  }

  /// - Returns: `nil` if the reader had ended before.
  private func askReader(bytes: Int, _ request: (Int) -> ReaderRequest) throws -> ReaderAnswer? {
    let answer: ReaderAnswer
    do throws(Reader.Failure) {
      answer = try place.reader.ask(request(place.number), bytes: bytes)
    } catch {
      guard case .during(let ending) = error else { return nil }
      throw ended(ending)
    }
    if let error = Self.error(answer, file) { throw error }
    return answer
  }

  private func reopen() throws {
    let shared = plain == nil ? memory : try PixelMemory(isShared: true)
    let opened: Place
    do {
      opened = try Self.opened(file, choice, shared, readers)
    } catch let error as FITSError {
      failure = error
      throw error
    }
    if plain != nil { readers.release(opened.reader) }
    leave()
    place = opened
    guard opened.layout == layout else {
      let error = FITSError(
        .readFailed, path: file.path, fault: "has changed since it was opened",
        nextStep: "scan it again when it is complete")
      failure = error
      throw error
    }
  }

  /// A request for the image ended its reader.
  private func ended(_ ending: ReaderEnding) -> FITSError {
    let error = ending.error(path: file.path)
    failure = error
    return error
  }

  /// The error that an answer tells.
  private static func error(_ answer: ReaderAnswer, _ file: InputFile) -> (any Error)? {
    switch answer {
    case .failed(let error): error.at(file.path)
    case .noSky(let reason): reason
    default: nil
    }
  }

  private func refused(_ answer: ReaderAnswer) -> FITSError {
    ended(readers.refuse(answer, of: place.reader))
  }
}

extension FITSError {
  /// The error of a reader, which knows no paths.
  func at(_ path: String) -> FITSError {
    FITSError(code, path: path, fault: fault, nextStep: nextStep)
  }
}
