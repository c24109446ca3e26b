import Foundation
import Synchronization

/// Which version of a file a system has: small ones are told apart by their contents, and large ones by size and times.
package struct FileEdition: Codable, Hashable, Sendable {
  /// The absolute path.
  package let path: String
  package let state: FileState
  /// Of the contents, if the file is small and may be read.
  package let digest: UInt64?
  /// What the system is that the file was built for, if it is an executable for one kind of machine.
  package let platform: String?
}

extension FileEdition {
  /// Looks at a file, and reads it if it is small and was not read before. Blocks the thread.
  ///
  /// - Returns: `nil` if there is no regular file.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let state = FileState(status)
    (self.path, self.state) = (path, state)
    let contents = Contents.ofFile(path, state)
    (digest, platform) = (contents.digest, contents.isNative ? Self.ownPlatform : nil)
  }

  /// Whether both have the same contents, as far as that is known of files on two systems.
  package func hasContents(of other: FileEdition) -> Bool {
    guard state.size == other.state.size else { return false }
    guard let digest, let theirs = other.digest else {
      return state.modified == other.state.modified
    }
    return digest == theirs
  }

  /// Whether it is the version that this system had before.
  package func isUnchanged(since past: FileEdition) -> Bool {
    let isRead = digest != nil && past.digest != nil
    return !isRead && ExactText(path) == ExactText(past.path)
      ? state.version == past.state.version : hasContents(of: past)
  }

  /// Whether the file has grown since at its end alone, as one to which programs append. Blocks the thread.
  package func hasGrown(from past: FileEdition) -> Bool {
    guard digest != nil, let theirs = past.digest, state.size > past.state.size else {
      return false
    }
    return ContentsDigest.of(file: path, size: past.state.size, isBeginning: true) == theirs
  }

  /// The kind of this machine, and its system.
  static let ownPlatform: String = {
    var system = utsname()
    uname(&system)
    let machine = withUnsafeBytes(of: &system.machine) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    let release = (try? SmallFile.contents(of: "/etc/os-release", most: 1 << 16)) ?? Data()
    let facts = String(decoding: release, as: UTF8.self).split(separator: "\n")
    let words = ["ID=", "VERSION_ID="].compactMap { name in
      facts.first { $0.hasPrefix(name) }.map {
        $0.dropFirst(name.count).filter { $0 != "\"" && $0 != "'" }
      }
    }
    return ([machine] + words.map { String($0) }).joined(separator: " ")
  }()
}

extension FileEdition {
  /// When the file was modified last, and how large it is, for people.
  package var text: String {
    let modified = Date(timeIntervalSince1970: Double(state.modified) / 1e9)
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    return "\(path), \(state.size) bytes of \(modified.formatted(style))"
  }
}

/// What is known of a file's contents.
private struct Contents {
  let digest: UInt64?
  let isNative: Bool

  /// The largest file that is read, in bytes.
  private static let most = 4 << 20
  private static let known = Mutex<[ExactText: (state: FileState, contents: Contents)]>([:])
  /// How many files are known at most.
  private static let mostKnown = 256

  /// Reads a file, if no version of this state was read before.
  static func ofFile(_ path: String, _ state: FileState) -> Contents {
    let key = ExactText(path)
    if let found = known.withLock({ $0[key] }), found.state == state { return found.contents }
    let contents = Contents(
      digest: state.size <= most ? ContentsDigest.of(file: path, size: state.size) : nil,
      isNative: isNative(path))
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    // Within a tick of the clock, a file may change once more and have the same state.
    guard FileState(path: path) == state,
      !(0..<FileState.clockTick).contains(now.nanoseconds - state.changed)
    else { return contents }
    known.withLock { known in
      if known.count >= mostKnown { known.removeAll() }
      known[key] = (state, contents)
    }
    return contents
  }

  /// Whether a file is an executable in machine code: ELF, or Mach-O.
  private static func isNative(_ path: String) -> Bool {
    guard let head = SmallFile.head(of: path, most: 4) else { return false }
    return [[0x7F, 0x45, 0x4C, 0x46], [0xCF, 0xFA, 0xED, 0xFE], [0xCA, 0xFE, 0xBA, 0xBE]]
      .contains(head)
  }
}
