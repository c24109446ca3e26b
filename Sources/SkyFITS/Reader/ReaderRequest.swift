import Foundation
import SkyDetection

/// A request to a reader process. The asking process numbers the images.
enum ReaderRequest: Equatable {
  /// Opens an image. The descriptors of the file and of the memory for pixels accompany it.
  /// `headerFile` is the text of a ``HeaderFile``.
  case open(image: Int, size: Int, extension: String?, headerFile: String?)
  /// Lists the images of a file, whose descriptor accompanies it.
  case list(size: Int)
  /// Closes an image. It has no answer.
  case close(image: Int)
  /// Reads pixels into that memory.
  case read(image: Int, PixelRectangle)
  case checkSums(image: Int)
  case checkSky(image: Int)
  /// Finds the sky positions of points in the image.
  case sky(image: Int, [PixelPosition])
  /// Finds the world coordinates of points in the image.
  case world(image: Int, [PixelPosition])
  /// Attempts what the reader must not be able to do. The reader's account may read the file.
  case probeSandbox(file: String)
}

extension ReaderRequest {
  /// Whether the request begins something new, for which the reader is granted new time.
  var opens: Bool {
    switch self {
    case .open, .list, .probeSandbox: true
    case .close, .read, .checkSums, .checkSky, .sky, .world: false
    }
  }

  var bytes: Data {
    var writer = ByteWriter()
    func head(_ kind: UInt8, _ image: Int) {
      writer.write(kind)
      writer.write(Int64(image))
    }
    func write(_ places: [PixelPosition]) {
      writer.write(Int64(places.count))
      for place in places {
        writer.write(place.x)
        writer.write(place.y)
      }
    }
    switch self {
    case .open(let image, let size, let choice, let headerFile):
      head(0, image)
      writer.write(Int64(size))
      for text in [choice, headerFile] {
        writer.write(UInt8(text == nil ? 0 : 1))
        writer.write(text ?? "")
      }
    case .read(let image, let rectangle):
      head(1, image)
      for number in [rectangle.x, rectangle.y, rectangle.width, rectangle.height] {
        writer.write(Int64(number))
      }
    case .checkSky(let image): head(2, image)
    case .sky(let image, let places):
      head(3, image)
      write(places)
    case .probeSandbox(let file):
      head(4, 0)
      writer.write(file)
    case .list(let size):
      head(5, 0)
      writer.write(Int64(size))
    case .close(let image): head(6, image)
    case .checkSums(let image): head(7, image)
    case .world(let image, let places):
      head(8, image)
      write(places)
    }
    return writer.bytes
  }

  /// - Throws: ``InvalidScan`` if the bytes are not a request.
  init(_ bytes: Data) throws {
    var reader = ByteReader(bytes)
    let kind = try reader.read(UInt8.self)
    func whole() throws -> Int { Int(try reader.read(Int64.self)) }
    func places() throws -> [PixelPosition] {
      try (0..<(try whole())).map { _ in
        PixelPosition(x: try reader.double(), y: try reader.double())
      }
    }
    let image = try whole()
    switch kind {
    case 0:
      func text(atMost limit: Int) throws -> String? {
        let isThere = try reader.read(UInt8.self) != 0
        let text = try reader.text(atMost: limit)
        return isThere ? text : nil
      }
      self = .open(
        image: image, size: try whole(), extension: try text(atMost: 4096),
        headerFile: try text(atMost: HeaderFile.mostBytes))
    case 1:
      self = .read(
        image: image,
        PixelRectangle(x: try whole(), y: try whole(), width: try whole(), height: try whole()))
    case 2: self = .checkSky(image: image)
    case 3:
      self = .sky(image: image, try places())
    case 4: self = .probeSandbox(file: try reader.text(atMost: 4096))
    case 5: self = .list(size: try whole())
    case 6: self = .close(image: image)
    case 7: self = .checkSums(image: image)
    case 8: self = .world(image: image, try places())
    default: throw InvalidScan("a request of kind \(kind)")
    }
  }
}
