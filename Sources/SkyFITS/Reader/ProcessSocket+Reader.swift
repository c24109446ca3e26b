import Foundation
import SkyProcess

extension ProcessSocket {
  /// Sends a message between a process and its reader.
  ///
  /// - Throws: ``ReaderEnding`` if the other end is gone, or accepts no bytes within the socket's
  ///   timeout.
  func pass(_ message: Data, descriptors: [CInt] = []) throws(ReaderEnding) {
    do throws(Fault) {
      try send(message, descriptors: descriptors)
    } catch {
      switch error {
      case .closed: throw .closed
      case .silent: throw .silent
      }
    }
  }
}
