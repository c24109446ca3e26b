import Synchronization

/// The keys that a running process holds at present. They change with their file.
///
/// Each handshake asks for the keys anew, so a change counts from the next connection on.
package final class KeyRing: Sendable {
  /// The file that the keys are from; `nil` if they do not change.
  package let file: KeyFile?
  private let held: Mutex<ClusterKeys>

  /// - Parameters:
  ///   - keys: the keys to begin with.
  ///   - file: the file that they were read from, if they can change.
  package init(_ keys: ClusterKeys, file: KeyFile? = nil) {
    self.file = file
    held = Mutex(keys)
  }

  package var keys: ClusterKeys { held.withLock { $0 } }

  /// Reads the file again, and holds from now on what is in it. If that fails, the former keys stay.
  ///
  /// - Returns: the keys that are held now.
  /// - Throws: ``KeyError``; for a file that is gone, with what is to be done for a process that runs.
  package func reread() throws -> ClusterKeys {
    guard let file else { return keys }
    let new: ClusterKeys
    do {
      new = try file.readAll()
    } catch let error as KeyError where error.code == .notFound {
      throw KeyError.vanished(file.path)
    }
    held.withLock { $0 = new }
    return new
  }
}
