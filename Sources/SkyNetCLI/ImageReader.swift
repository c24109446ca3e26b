import Foundation
import SkyDetection
import SkyFITS
import Synchronization

/// The process that reads this command's images.
enum ImageReader {
  private static let started = Mutex<Result<ReaderProcess, any Error>?>(nil)

  /// Starts the reader process if the command will read an image. The fork must come before any
  /// thread starts and before the key is read, so the command line's words alone decide, unparsed.
  static func startIfNeeded(by arguments: [String]) {
    guard isNeeded(by: arguments.dropFirst()) else { return }
    let canReplace = mayReadMany(arguments.dropFirst())
    started.withLock { $0 = Result { try ReaderProcess.start(canReplace: canReplace) } }
    atexit {
      // This process reaps the reader itself, so that no zombie is left to init.
      ImageReader.started.withLockIfAvailable { try? $0?.get().end() }
    }
  }

  /// Whether the command line may name many images, one of which is not to end the reading of the others.
  static func mayReadMany(_ arguments: some Collection<String>) -> Bool {
    guard arguments.first == "engage" else { return false }
    var values: Int?
    for argument in arguments {
      if argument.hasPrefix("--images") || argument.hasPrefix("--follow") { return true }
      if argument.contains("{") { return true }
      if argument == "--image" || argument.hasPrefix("--image=") {
        values = argument == "--image" ? 0 : 1
      } else if argument.hasPrefix("-") {
        values = nil
      } else if let count = values {
        if count > 0 { return true }
        values = count + 1
      }
    }
    return arguments.count { $0.hasPrefix("--image") } > 1
  }

  static func isNeeded(by arguments: some Collection<String>) -> Bool {
    switch arguments.first {
    case "report", "replay": true
    case "engage", "scan", "merge", "reader-check":
      // Also --images.
      arguments.contains { $0.hasPrefix("--image") || $0.hasPrefix("--follow") }
        || arguments.first == "reader-check"
    default: false
    }
  }

  /// The reader process that was started.
  ///
  /// - Throws: `InvalidScan` if none was started. No image is ever read outside of it.
  static func process() throws -> ReaderProcess {
    guard let result = started.withLock({ $0 }) else {
      throw InvalidScan("there is no process to read images: give --image as a separate word")
    }
    return try result.get()
  }

  /// Opens an image.
  ///
  /// - Throws: `FITSError`, `InvalidScan`.
  static func open(_ name: ImageName) async throws -> FITSImage {
    try await FITSImage.open(name.path, extension: name.extension, reader: try process())
  }

  /// The images of a file that has several: the number of each unit, and its name.
  ///
  /// - Throws: `FITSError`, `InvalidScan`.
  static func images(in path: String) async throws -> [(number: Int, name: String?)] {
    try await FITSImage.images(in: path, reader: try process()).map { ($0.number, $0.name) }
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
