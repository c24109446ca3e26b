import Foundation

/// What a program has written so far. The beginning is in memory, and what is longer than that in a file without a name,
/// so that a process which runs many programs holds little of their outputs.
final class GrowingOutput {
  /// How many bytes of a program's output are held in memory.
  static let mostInMemory = 4 << 20

  private let folder: String
  private var bytes = Data()
  private var file: CInt = -1
  private(set) var count = 0
  /// Why the rest is not kept.
  private(set) var fault: ProgramFault?

  /// - Parameter folder: where the file is made, if there is one.
  init(folder: String = GrowingOutput.folder) { self.folder = folder }

  deinit { if file >= 0 { close(file) } }

  /// Adds bytes, unless some could not be kept before.
  func append(_ part: UnsafeRawBufferPointer) {
    guard fault == nil, part.count > 0 else { return }
    count += part.count
    if file < 0, count <= Self.mostInMemory { return bytes.append(contentsOf: part) }
    if file < 0 {
      makeFile()
      bytes.withUnsafeBytes { write($0) }
      bytes = Data()
    }
    write(part)
  }

  /// All of it. What is in the file is read from there as it is looked at.
  ///
  /// - Throws: ``ProgramFault/outputNotKept(_:_:)``.
  func whole() throws(ProgramFault) -> Data {
    if let fault { throw fault }
    guard file >= 0 else { return bytes }
    guard let place = mmap(nil, count, PROT_READ, MAP_PRIVATE, file, 0), place != MAP_FAILED else {
      throw .outputNotKept(folder, errno)
    }
    return Data(
      bytesNoCopy: place, count: count, deallocator: .custom { munmap($0, $1) })
  }

  private func write(_ part: UnsafeRawBufferPointer) {
    var rest = part
    while fault == nil, !rest.isEmpty {
      let count = Foundation.write(file, rest.baseAddress, rest.count)
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if errno != EINTR {
        fault = .outputNotKept(folder, errno)
      }
    }
  }

  /// /var/tmp is on a disk where /tmp may be memory.
  static let folder =
    TemporaryPlace.named ?? (access("/var/tmp", W_OK) == 0 ? "/var/tmp" : "/tmp")

  /// Makes a file of this account alone, which is gone with the last who has it open.
  private func makeFile() {
    var name = Array("\(folder)/skynet-XXXXXX".utf8CString)
    file = mkstemp(&name)
    guard file >= 0 else {
      fault = .outputNotKept(folder, errno)
      return
    }
    unlink(name)
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
  }
}

/// The folder for temporary files that people have chosen.
enum TemporaryPlace {
  /// TMPDIR; `nil` if it is not set, or is no absolute path.
  static var named: String? {
    getenv("TMPDIR").map { String(cString: $0) }.flatMap {
      $0.utf8.first == UInt8(ascii: "/") ? $0 : nil
    }
  }
}
