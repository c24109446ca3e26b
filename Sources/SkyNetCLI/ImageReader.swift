import Foundation
import SkyDetection
import SkyFITS
import Synchronization

/// The process that reads this command's images.
enum ImageReader {
  private static let started = Mutex<Result<ReaderProcess, any Error>?>(nil)

  /// Starts it, if the command will read an image. It must be forked off before there are threads and
  /// before the key is read, so a look at the words of the command line decides.
  static func startIfNeeded(by arguments: [String]) {
    guard isNeeded(by: arguments.dropFirst()) else { return }
    started.withLock { $0 = Result { try ReaderProcess.start() } }
    atexit {
      // Not left to be waited for by what this process leaves its children to.
      ImageReader.started.withLockIfAvailable { try? $0?.get().end() }
    }
  }

  static func isNeeded(by arguments: some Collection<String>) -> Bool {
    switch arguments.first {
    case "engage", "scan", "merge", "reader-check":
      arguments.contains { $0.hasPrefix("--image") } || arguments.first == "reader-check"
    default: false
    }
  }

  /// The one that was started.
  ///
  /// - Throws: `InvalidScan` if there is none. No image is ever read without it.
  static func process() throws -> ReaderProcess {
    guard let result = started.withLock({ $0 }) else {
      throw InvalidScan("there is no process to read images: give --image as a word of its own")
    }
    return try result.get()
  }

  /// Opens an image.
  ///
  /// - Throws: `FITSError`, `InvalidScan`.
  static func open(_ name: ImageName) async throws -> FITSImage {
    try await FITSImage.open(name.path, extension: name.extension, reader: try process())
  }

  /// Opens a weight map. If it has several, the one of the image's extension belongs to the image,
  /// unless its name says another.
  ///
  /// - Throws: `FITSError`, `InvalidScan`.
  static func openWeights(_ text: String, extension choice: String?) async throws -> FITSImage {
    let name = ImageName(text)
    do {
      return try await open(name)
    } catch let error as FITSError where error.code == .severalImages && choice != nil {
      return try await open(name.choosing(choice))
    }
  }
}
