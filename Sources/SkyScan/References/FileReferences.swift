import SkyFITS
package import SkyFiles
import SkyNetCore
import Synchronization

/// What an engagement knows of the systems that may be able to read its images themselves: where
/// their files are, and which system has refused which file; and of how pixels reach the others.
///
/// All jobs of a run share one. A file is tried once for each system, and never again in that run.
package final class FileReferences: Sendable {
  /// A directory of this machine, and the same directory elsewhere.
  package struct Root: Hashable, Sendable {
    let here: FilePath
    let there: FilePath

    /// - Parameters:
    ///   - here: a directory on this machine.
    ///   - there: its absolute path at the systems.
    /// - Returns: `nil` if one of them is no such path.
    package init?(here: String, there: String) {
      guard let here = FilePath.real(here), let there = FilePath(absolute: there) else {
        return nil
      }
      (self.here, self.there) = (here, there)
    }
  }

  /// How a system gets the pixels of a file.
  enum Way {
    /// It reads the file, which is the same as here.
    case same
    /// It reads a file that is compared as it is read.
    case copy
    /// It gets them from here.
    case sent
  }

  private struct File: Hashable {
    let system: Incarnation
    let path: String
  }

  private struct Notice: Hashable {
    /// The system's name; `nil` for what may be so for all systems, and is told of one of them.
    let system: String?
    let refusal: DataRefusal
  }

  private struct State {
    var ways: [File: Way] = [:]
    /// The systems that read nothing for this engagement.
    var closed: Set<Incarnation> = []
    var told: Set<Notice> = []
  }

  let key = DigestKey.random()
  /// Whether it pays to pack the pixels that are sent.
  let packing = PackingChoices()
  private let roots: [Root]
  private let tell: @Sendable (String) -> Void
  private let proofs: AccountProofs
  private let state = Mutex(State())
  private let read = Atomic<Int>(0)
  private let sent = Atomic<Int>(0)

  /// The bytes of pixels and weights that systems were asked to read, and that were sent to them.
  package var bytes: (read: Int, sent: Int) {
    (read.load(ordering: .relaxed), sent.load(ordering: .relaxed))
  }

  /// - Parameters:
  ///   - roots: directories that are elsewhere at the systems. The first that holds a file counts.
  ///   - proofs: shows systems of this machine and account that the engagement is too.
  ///   - tell: gets a line for people when a system refuses a file.
  package init(
    roots: [Root] = [],
    proofs: AccountProofs = AccountProofs(),
    tell: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.roots = roots
    self.proofs = proofs
    self.tell = tell
  }

  /// How the system gets the pixels of a file.
  func way(of path: String, to system: SectorRecipient) -> Way {
    state.withLock { state in
      if state.closed.contains(system.incarnation) { return .sent }
      return state.ways[File(system: system.incarnation, path: path)] ?? .same
    }
  }

  /// The system has refused a file that it was to read in this way.
  func refused(_ refusal: DataRefusal, _ path: String, by system: SectorRecipient) {
    let isNew = state.withLock { state in
      guard refusal != .noAccess else {
        state.closed.insert(system.incarnation)
        return state.told.insert(Notice(system: nil, refusal: refusal)).inserted
      }
      let file = File(system: system.incarnation, path: path)
      guard refusal != .copy else {
        // Attempts that were under way together are all told of it.
        if state.ways[file] != .sent { state.ways[file] = .copy }
        return false
      }
      state.ways[file] = .sent
      return state.told.insert(Notice(system: system.name, refusal: refusal)).inserted
    }
    if isNew { tell("\(system.name) gets the pixels of \(path) from here: \(refusal.fault)") }
  }

  /// The file's paths at the systems, the likeliest first: where it was said to be, and where it is
  /// here.
  func paths(of file: ReferableFile) -> [String] {
    let moved = file.paths.compactMap { path in
      roots.first { path.isBelow($0.here) }.map { path.moved(from: $0.here, to: $0.there) }
    }
    return (moved + file.paths).map(\.text).reduce(into: []) { paths, path in
      if !paths.contains(path) { paths.append(path) }
    }
  }

  /// The proof that this engagement is of the system's machine and account.
  func proof(for bytes: ProvenBytes, to system: SectorRecipient) async -> AccountProof? {
    await proofs.proof(for: bytes, to: system.incarnation.uuid)
  }

  /// Counts bytes that a system reads or is sent; negative ones, if it has refused to.
  func count(read: Int, sent: Int = 0) {
    self.read.add(read, ordering: .relaxed)
    self.sent.add(sent, ordering: .relaxed)
  }
}
