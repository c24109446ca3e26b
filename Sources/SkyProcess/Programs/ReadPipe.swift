import CProcess
import Foundation

/// A pipe that a program writes to and this process reads.
final class ReadPipe {
  private let reading: CInt
  /// The end for the program; negative when this process has none any more.
  private(set) var writing: CInt
  /// Whether no process has the other end any more.
  private var isOver = false

  /// - Throws: ``ProgramFault/notStarted(_:_:)``.
  init() throws(ProgramFault) { (reading, writing) = try KeeperLink.pipe() }

  deinit {
    close(reading)
    closeWriting()
  }

  /// The descriptor to wait for; negative if nothing will come.
  var place: CInt { isOver ? -1 : reading }

  func closeWriting() {
    if writing >= 0 { close(writing) }
    writing = -1
  }

  /// Reads a part of what is there, or all of it, but nothing that is written meanwhile.
  func read(all: Bool, _ body: (UnsafeRawBufferPointer) -> Void) {
    guard !isOver else { return }
    var rest: CInt = 1
    // A program may have made its pipe larger than the system does.
    if all, ioctl(reading, UInt(FIONREAD), &rest) != 0 { rest = .max }
    withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 16) { room in
      while rest > 0 {
        let count = Foundation.read(reading, room.baseAddress!, room.count)
        if count == 0 { isOver = true }
        guard count > 0 else { return }
        body(UnsafeRawBufferPointer(rebasing: room[..<count]))
        rest -= CInt(count)
      }
    }
  }
}

/// A program's standard input, as memory that a descriptor names. So no thread has to write while
/// the program reads.
struct ProgramInputFile: ~Copyable {
  /// One; none for a program without input.
  let descriptors: [CInt]

  /// - Throws: ``ProgramFault/notStarted(_:_:)``.
  init(_ input: Data?) throws(ProgramFault) {
    guard let input else {
      descriptors = []
      return
    }
    let file = process_shared_memory(input.count)
    guard file >= 0 else { throw .notStarted(.process, errno) }
    var written = 0
    while written < input.count {
      let count = input.withUnsafeBytes { bytes in
        pwrite(file, bytes.baseAddress! + written, bytes.count - written, off_t(written))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let reason = errno
        close(file)
        throw .notStarted(.process, reason)
      }
      written += count
    }
    descriptors = [file]
  }

  deinit { for descriptor in descriptors { close(descriptor) } }
}
