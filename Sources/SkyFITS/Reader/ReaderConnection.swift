import CProcess
import Foundation

/// One end of the socket between a process and its reader. A message is four bytes with its length,
/// and then its bytes. All calls block.
struct ReaderConnection {
  let socket: CInt

  /// - Throws: ``ReaderEnding`` if the other end is gone, or accepts no bytes within the socket's
  ///   timeout.
  func send(_ message: Data, descriptors: [CInt] = []) throws(ReaderEnding) {
    var length = UInt32(message.count).littleEndian
    let framed = withUnsafeBytes(of: &length) { Data($0) } + message
    var sent = 0
    while sent < framed.count {
      // The descriptors accompany the first byte.
      let passed = sent == 0 ? descriptors : []
      let count = framed.withUnsafeBytes { bytes in
        process_send(
          socket, bytes.baseAddress! + sent, framed.count - sent, passed, CInt(passed.count))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw errno == EAGAIN ? .silent : .closed }
      sent += count
    }
  }

  /// - Parameter limit: the largest length of a message, in bytes.
  /// - Returns: the message with its descriptors; `nil` if the other end is closed.
  func receive(atMost limit: Int) -> (message: Data, descriptors: [CInt])? {
    var descriptors: [CInt] = []
    guard let head = receive(4, &descriptors) else { return nil }
    let length = head.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
    guard UInt32(littleEndian: length) <= limit,
      let message = receive(Int(UInt32(littleEndian: length)), &descriptors)
    else { return nil }
    return (message, descriptors)
  }

  private func receive(_ count: Int, _ descriptors: inout [CInt]) -> Data? {
    var bytes = Data(count: count)
    var received = 0
    while received < count {
      var passed = [CInt](repeating: -1, count: Int(process_most_descriptors))
      var passedCount: CInt = 0
      let result = bytes.withUnsafeMutableBytes { room in
        process_receive(
          socket, room.baseAddress! + received, count - received, &passed, &passedCount)
      }
      if result < 0, errno == EINTR { continue }
      guard result > 0 else { return nil }
      descriptors += passed.prefix(Int(passedCount))
      received += result
    }
    return bytes
  }
}

/// Why a reader process ended.
enum ReaderEnding: Error, Hashable {
  /// A signal ended the reader.
  case signal(CInt)
  /// The reader ended without a signal, or closed its end of the socket.
  case closed
  /// The process that started the reader ended it.
  case ended
  /// The reader used more processor time than it was granted, and was ended.
  case outOfTime
  /// The reader did not answer in time, and was ended.
  case silent
  /// The reader gave an impossible answer, and was ended.
  case impossibleAnswer(String)
  /// This system does not let the reader confine itself.
  case notConfined(CInt)

  /// The error for the file that was being read.
  func error(path: String) -> FITSError {
    let again = "check it with fitsverify, or fetch it again"
    func damaged(_ how: String) -> FITSError {
      FITSError(
        .readerEnded, path: path,
        fault: "reading it ended the reader (\(how)): the file is damaged or hostile",
        nextStep: again)
    }
    switch self {
    case .signal(SIGKILL):
      return FITSError(
        .readerEnded, path: path, fault: "its reader was killed from outside",
        nextStep: "see whether this machine, or this container, is out of memory, and run the "
          + "command again")
    case .signal(SIGBUS):
      return FITSError(
        .readerEnded, path: path,
        fault:
          "reading it ended the reader (signal \(SIGBUS)): it was cut short meanwhile, its disk "
          + "cannot be read, or it is damaged",
        nextStep: again)
    case .signal(let number): return damaged("signal \(number)")
    case .closed: return damaged("it ended by itself")
    case .ended:
      return FITSError(
        .readerEnded, path: path, fault: "is not read any more, as its reader was ended",
        nextStep: "start the program again")
    case .outOfTime: return damaged("it took too long")
    case .silent:
      return FITSError(
        .readerEnded, path: path,
        fault:
          "its reader did not answer in time: it was stopped, or waited for the disk or a busy "
          + "machine",
        nextStep:
          "see whether the disk or network that the file is on answers, and run the command again")
    case .impossibleAnswer(let what): return damaged("its answer, \(what), cannot be")
    case .notConfined(let reason):
      return FITSError(
        .readerEnded, path: path,
        fault: "is not read, as this system does not let its reader be confined by seccomp "
          + "(\(String(cString: strerror(reason))))",
        nextStep: "allow seccomp in this container, or use a kernel that has it")
    }
  }
}
