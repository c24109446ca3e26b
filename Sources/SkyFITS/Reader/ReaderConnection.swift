import CProcess
import Foundation

/// One end of the socket between a process and its reader. Messages are bytes, after four that say how
/// many. It blocks.
struct ReaderConnection {
  let socket: CInt

  /// - Throws: ``ReaderEnding`` if the other end is gone, or takes nothing for as long as the socket waits.
  func send(_ message: Data, descriptors: [CInt] = []) throws(ReaderEnding) {
    var length = UInt32(message.count).littleEndian
    let framed = withUnsafeBytes(of: &length) { Data($0) } + message
    var sent = 0
    while sent < framed.count {
      // The descriptors go with the first byte.
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

  /// - Parameter limit: how many bytes a message may have.
  /// - Returns: the message, and descriptors that came with it; `nil` if the other end is closed.
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

/// How a reader process came to its end, or was brought to it.
enum ReaderEnding: Error, Hashable {
  /// It ended by a signal.
  case signal(CInt)
  /// It ended without one, or closed its end.
  case closed
  /// The process that began it ended it.
  case ended
  /// It used more processor time than it was granted, and was ended.
  case outOfTime
  /// It did not answer in its time, and was ended.
  case silent
  /// It gave an answer that cannot be, and was ended.
  case impossibleAnswer(String)
  /// This system does not let it give up what it must not be able to do.
  case notConfined(CInt)

  /// What it means for a file.
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
