import Foundation

/// A rendezvous directory cannot be used.
package struct RendezvousError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Names the directory, the reason and what to do.
  package let description: String

  init(_ path: String, _ code: CInt, isWriting: Bool = false) {
    let reason: String
    switch code {
    case ENOENT: reason = "is not there: make it, or name another one"
    case ENOTDIR: reason = "is not a directory: name one"
    case EACCES, EPERM, EROFS:
      reason =
        "cannot be \(isWriting ? "written to" : "read") "
        + "(\(String(cString: strerror(code)).lowercased())): "
        + "give this account the right to, or name another one"
    default:
      reason =
        "cannot be \(isWriting ? "written to" : "read"): "
        + String(cString: strerror(code)).lowercased()
    }
    description = "the rendezvous directory \(path) \(reason)"
  }
}
