import CProcess
import Foundation
import SkyDetection
import SkyProcess

/// The main function of a reader process: it gives up what the spawner has left it, and then answers
/// requests until the asking process is gone.
enum ReaderChild {
  static func run(socket: CInt, parent: pid_t) -> Never {
    let error = confine(parent: parent)
    let connection = ProcessSocket(socket: socket)
    do {
      try connection.pass(ReaderAnswer.ready(error).bytes)
      guard error == 0 else { _exit(1) }
      var server = ReaderServer(parent: parent)
      try server.serve(connection)
    } catch {
      _exit(1)
    }
    _exit(0)
  }

  /// Returns 0, or the system's error.
  private static func confine(parent: pid_t) -> CInt {
    #if os(Linux)
      guard process_end_with_parent("skynet-reader") == 0 else { return errno }
      // The parent may have ended before the call.
      guard getppid() == parent else { _exit(0) }
      guard process_confine() == 0 else { return errno }
    #endif
    return 0
  }
}

/// Answers requests, and keeps the images that a reader process has open.
struct ReaderServer {
  let parent: pid_t
  private var images: [Int: OpenImage] = [:]

  init(parent: pid_t) { self.parent = parent }

  /// Answers requests until the other end is closed.
  ///
  /// - Throws: ``ReaderEnding`` if the other end takes no answer; `InvalidScan` if it sends what is
  ///   no request.
  mutating func serve(_ connection: ProcessSocket) throws {
    while let (message, descriptors) = connection.receive(atMost: ReaderLimits.answer) {
      defer { for descriptor in descriptors { close(descriptor) } }
      if let answer = answer(try ReaderRequest(message), descriptors) {
        try connection.pass(answer.bytes)
      }
    }
  }

  /// - Returns: `nil` for a request that has no answer.
  mutating func answer(_ request: ReaderRequest, _ descriptors: [CInt]) -> ReaderAnswer? {
    do {
      return try result(of: request, descriptors)
    } catch let error as FITSError {
      return .failed(error)
    } catch let error as NoSkyPositions {
      return .noSky(error)
    } catch {
      return .failed(
        FITSError(.readFailed, path: "", fault: "\(error)", nextStep: "see whether it is intact"))
    }
  }

  private mutating func result(
    of request: ReaderRequest, _ descriptors: [CInt]
  ) throws -> ReaderAnswer? {
    switch request {
    case .open(let number, let size, let choice, let headerFile):
      guard descriptors.count == 2 else { throw InvalidScan("a request without descriptors") }
      let image = try OpenImage(
        descriptor: descriptors[0], size: size, path: "", extension: choice,
        headerFile: headerFile, memory: PixelMemory(descriptor: descriptors[1]))
      images[number] = image
      return .opened(image.layout)
    case .list(let size):
      guard descriptors.count == 1 else { throw InvalidScan("a request without a descriptor") }
      let contents = try FileBytes(descriptor: descriptors[0], size: size, path: "")
      return .listed(try FITSHandle(contents, path: "").listImages())
    case .close(let number):
      images[number] = nil
      return nil
    case .read(let number, let rectangle):
      try image(number).read(rectangle)
      return .done
    case .checkSums(let number): return .sums(try image(number).checkSums())
    case .checkSky(let number):
      try image(number).checkSky()
      return .done
    case .sky(let number, let places): return .positions(try image(number).sky(places))
    case .world(let number, let places): return .world(try image(number).world(places))
    case .probeSandbox(let file): return .probed(SandboxProbe.run(file: file, parent: parent))
    }
  }

  private func image(_ number: Int) throws -> OpenImage {
    guard let image = images[number] else {
      throw InvalidScan("image \(number), which is not open")
    }
    return image
  }
}
