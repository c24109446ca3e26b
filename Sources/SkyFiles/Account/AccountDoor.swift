import Dispatch
package import Foundation
import Synchronization

/// Where a process learns which others of this machine are of its own account: they come to sockets that it has in
/// folders of the account, and the kernel tells whose they are.
///
/// Who comes gets a key, which is good for as long as it stays, and with that proves to this process, through any
/// network, what it asks for: by a keyed digest of the bytes that say so. So who is shown the proof of one thing cannot
/// ask for another one by it, nor for anything later, and this process looks at nothing that a stranger names.
package final class AccountDoor: Sendable {
  /// This process's door.
  package static let own = AccountDoor()

  /// The most visitors at a time.
  private static let mostVisits = 1000

  private struct Opened {
    let folder: OwnFolder
    let name: String
    let source: any DispatchSourceRead
  }

  private struct State {
    var opened: [Opened] = []
    /// The keys of those that are there, by the number of their visit.
    var visits: [UInt64: (key: DigestKey, source: any DispatchSourceRead)] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  deinit { close() }

  /// Opens the door, to those that ask for this id, in all folders of the account that this process can use.
  package func open(
    as id: UUID, environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    for folder in OwnFolder.all(environment, makes: true) {
      guard let descriptor = folder.listen(as: id.uuidString)?.released() else { continue }
      state.withLock { state in
        let source = Self.source(descriptor) { [weak self] in self?.welcome(at: descriptor) }
        state.opened.append(Opened(folder: folder, name: id.uuidString, source: source))
      }
    }
  }

  private func welcome(at listener: CInt) {
    while let caller = LocalSocket.accepted(by: listener) {
      // Containers can share a folder, and have the same number for another user.
      guard caller.isOfThisUser, caller.isOfThisNamespace else { continue }
      guard state.withLock({ $0.visits.count }) < Self.mostVisits else { continue }
      let visit = VisitKey.random()
      let descriptor = caller.released()
      state.withLock { state in
        // It sends nothing, and so this is its end.
        let source = Self.source(descriptor) { [weak self] in self?.left(visit.number) }
        state.visits[visit.number] = (visit.key, source)
        // Last: what it proves may come at once. While this is locked, nobody closes the descriptor.
        LocalSocket.send(visit.bytes, through: descriptor)
      }
    }
  }

  private func left(_ visit: UInt64) {
    state.withLock { $0.visits.removeValue(forKey: visit)?.source.cancel() }
  }

  /// - Returns: a source that owns the descriptor.
  private static func source(
    _ descriptor: CInt, _ handle: @escaping @Sendable () -> Void
  ) -> any DispatchSourceRead {
    let source = DispatchSource.makeReadSource(
      fileDescriptor: descriptor, queue: DispatchQueue(label: "skynet.account"))
    source.setEventHandler(handler: handle)
    source.setCancelHandler { Foundation.close(descriptor) }
    source.activate()
    return source
  }

  /// Closes the door, and forgets who was there.
  package func close() {
    state.withLock { state in
      for place in state.opened {
        place.folder.remove(place.name)
        place.source.cancel()
      }
      for visit in state.visits.values { visit.source.cancel() }
      (state.opened, state.visits) = ([], [:])
    }
  }

  package var isOpen: Bool { state.withLock { !$0.opened.isEmpty } }

  /// Whether these bytes were proved by a process that is at the door.
  ///
  /// - Parameter bytes: are made only for one who is there, as a stranger may ask for much.
  package func isProof(
    _ proof: AccountProof, for bytes: @autoclosure () -> ProvenBytes
  ) -> Bool {
    guard let key = state.withLock({ $0.visits[proof.visit]?.key }) else { return false }
    // One comparison of two words takes the same time whatever they are.
    return proof.digest ^ key.digest(of: bytes().bytes) == 0
  }
}
