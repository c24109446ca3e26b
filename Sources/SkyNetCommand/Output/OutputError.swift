import Foundation
import SkyFiles

/// An output that cannot be written, or whose written bytes were lost.
struct OutputError: Error, CustomStringConvertible {
  /// The option that named the output, if one did.
  var flag: String?
  let path: String
  let failure: WriteFailure

  var description: String {
    let subject = (flag.map { "--\($0): " } ?? "") + path
    return switch failure {
    case .refused(EPIPE):
      "\(subject) was closed before everything was written; read it to its end, or write to a file"
    case .refused(ENOSPC) where path == StandardOutput.name:
      "\(subject) is full; make room where it leads to"
    case .refused(ELOOP): "\(subject) \(LinkEnd.loop); give another name"
    case .refused(EWOULDBLOCK):
      "\(subject): another run writes to it; wait until that has ended, or name another file"
    case .refused(let reason):
      "\(subject) cannot be written (\(String(cString: strerror(reason)))); check its directory, and "
        + "the room on its disk"
    case .oddName: "\(subject) \(OddName.fault), which no output can have; give another name"
    case .lost(let fault):
      "\(subject): \(fault); some results are in no file: leave it in its place while a run goes on, "
        + "and start the same command again (with --journal it does only what is left)"
    }
  }
}
