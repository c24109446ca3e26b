import CProcess
import Foundation
import SkyDetection

/// The main function of a reader process: it gives up every ability that it does not need, and then
/// answers requests until the asking process is gone.
///
/// The process is forked before its parent has a second thread, and has one thread itself.
enum ReaderChild {
  static func run(socket: CInt, parent: pid_t) -> Never {
    let error = confine(keeping: socket, parent: parent)
    // Confining has moved the socket to number 3.
    let connection = ReaderConnection(socket: error == 0 ? 3 : socket)
    func answer(_ answer: ReaderAnswer) {
      do { try connection.send(answer.bytes) } catch { _exit(1) }
    }
    answer(.ready(error))
    guard error == 0 else { _exit(1) }
    var server = ReaderServer(parent: parent)
    while let (message, descriptors) = connection.receive(atMost: ReaderLimits.answer) {
      guard let request = try? ReaderRequest(message) else { _exit(1) }
      answer(server.answer(request, descriptors))
      for descriptor in descriptors { close(descriptor) }
    }
    _exit(0)
  }

  /// Returns 0, or the system's error.
  private static func confine(keeping socket: CInt, parent: pid_t) -> CInt {
    // Signals that a person types, or that a service manager sends to the group, are for the
    // parent. The reader ends with its parent.
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR1, SIGUSR2] {
      signal(number, SIG_IGN)
    }
    // The Swift runtime's crash report would be of no use for hostile bytes.
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS] {
      signal(number, SIG_DFL)
    }
    process_forget_environment()
    guard process_keep_descriptor(socket) == 0 else { return errno }
    guard process_limit(UInt64(ReaderLimits.memory)) == 0 else { return errno }
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

  mutating func answer(_ request: ReaderRequest, _ descriptors: [CInt]) -> ReaderAnswer {
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
  ) throws -> ReaderAnswer {
    switch request {
    case .open(let number, let size, let choice):
      guard descriptors.count == 2 else { throw InvalidScan("a request without descriptors") }
      let image = try OpenImage(
        descriptor: descriptors[0], size: size, path: "", extension: choice,
        memory: PixelMemory(descriptor: descriptors[1]))
      images[number] = image
      return .opened(image.layout)
    case .read(let number, let rectangle):
      try image(number).read(rectangle)
      return .done
    case .checkSky(let number):
      try image(number).checkSky()
      return .done
    case .sky(let number, let places): return .positions(try image(number).sky(places))
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
