// What this file codes is frozen by the versions of the kinds of scans that send it.

package import Foundation
import Synchronization

/// The proof that a process of the same account and machine asks for something.
package struct AccountProof: Codable, Hashable, Sendable {
  /// The number of its visit at the door.
  package var visit: UInt64
  package var digest: UInt64
}

/// The visits of this process at others' doors, which last as long as this value.
package final class AccountProofs: Sendable {
  /// A visit, which ends when nothing refers to it any more.
  private final class Visit: Sendable {
    private let got: VisitKey
    private let descriptor: CInt

    init(_ got: VisitKey, _ socket: consuming LocalSocket) {
      self.got = got
      descriptor = socket.released()
    }

    deinit { close(descriptor) }

    func proof(for bytes: ProvenBytes) -> AccountProof {
      AccountProof(visit: got.number, digest: got.key.digest(of: bytes.bytes))
    }
  }

  private let environment: [String: String]
  private let visits = Mutex<[UUID: Visit?]>([:])

  package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.environment = environment
  }

  /// The proof that what the bytes say is asked for by this account, on this machine.
  ///
  /// - Parameter id: under which the door was opened.
  /// - Returns: `nil` if the door is of another machine or account.
  package func proof(for bytes: ProvenBytes, to id: UUID) async -> AccountProof? {
    if let known = visits.withLock({ $0[id] }) { return known?.proof(for: bytes) }
    return await ask(id)?.proof(for: bytes)
  }

  /// Asks at the door, which takes two seconds if its process is stopped.
  @concurrent private func ask(_ id: UUID) async -> Visit? {
    var isThere = false
    for folder in OwnFolder.all(environment) {
      guard let door = folder.connect(to: id.uuidString) else { continue }
      isThere = true
      guard door.isOfThisUser, let bytes = door.receive(VisitKey.byteCount) else { continue }
      let visit = Visit(VisitKey(bytes), door)
      return visits.withLock { visits in
        // Tasks that are made together ask together. One visit is enough.
        if case let first?? = visits[id] { return first }
        visits[id] = .some(visit)
        return visit
      }
    }
    // One that is there and does not answer now may do so later.
    if !isThere { visits.withLock { $0[id] = .some(nil) } }
    return nil
  }
}

/// What a visitor gets at a door.
struct VisitKey {
  let number: UInt64
  let key: DigestKey

  static let byteCount = 24

  static func random() -> VisitKey {
    VisitKey(number: .random(in: 0...UInt64.max), key: .random())
  }

  var bytes: [UInt8] {
    [number, key.first, key.second].flatMap { withUnsafeBytes(of: $0.littleEndian, Array.init) }
  }
}

extension VisitKey {
  init(_ bytes: [UInt8]) {
    let words = bytes.withUnsafeBytes { bytes in
      [0, 8, 16].map { bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self).littleEndian }
    }
    self.init(number: words[0], key: DigestKey(first: words[1], second: words[2]))
  }
}
