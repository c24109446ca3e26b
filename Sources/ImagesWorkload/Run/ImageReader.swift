import Foundation
import SkyDetection
import SkyFITS
import SkyNetCommand
import Synchronization

/// The processes that read this command's images.
enum ImageReader {
  private static let started = Mutex<Result<ReaderProcess, any Error>?>(nil)

  /// Starts the process that starts readers, if the command will read an image. The fork must come before any
  /// thread starts and before the key is read, so the command line's words alone decide, unparsed.
  static func startIfNeeded(by arguments: [String]) {
    guard isNeeded(by: arguments) else { return }
    started.withLock { $0 = Result { try ReaderProcess.start() } }
    atexit {
      // This process reaps them itself, so that no zombie is left to init.
      ImageReader.started.withLockIfAvailable { try? $0?.get().end() }
    }
  }

  static func isNeeded(by arguments: some Collection<String>) -> Bool {
    switch arguments.first {
    case "report", "replay", "sex": true
    case "engage", "scan", "merge", "reader-check":
      // Also --images.
      arguments.contains { $0.hasPrefix("--image") || $0.hasPrefix("--follow") }
        || arguments.first == "reader-check"
    default: false
    }
  }

  /// The readers that were started.
  ///
  /// - Throws: `InvalidScan` if none were started. No image is ever read without them.
  static func process() throws -> ReaderProcess {
    guard let result = started.withLock({ $0 }) else {
      throw InvalidScan("there is no process to read images: give --image as a separate word")
    }
    return try result.get()
  }

  /// Opens an image.
  ///
  /// - Parameter headerSuffix: the ending of the file beside the image whose cards replace those of
  ///   its header, if there is such a file; `nil` to use none.
  /// - Throws: `FITSError`, `InvalidScan`.
  static func open(_ name: ImageName, headerSuffix: String? = nil) async throws -> FITSImage {
    let headerFile = try headerSuffix.flatMap { try HeaderFile(beside: name.path, suffix: $0) }
    return try await FITSImage.open(
      name.path, extension: name.extension, headerFile: headerFile, reader: try process())
  }

  /// The images of a file that has several.
  ///
  /// - Throws: `FITSError`, `InvalidScan`.
  static func images(in path: String) async throws -> [FITSImageUnit] {
    try await FITSImage.images(in: path, reader: try process())
  }

  /// Opens a weight map. If the file has several images, the one in the image's own extension is
  /// used, unless the weight map's name chooses another.
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
