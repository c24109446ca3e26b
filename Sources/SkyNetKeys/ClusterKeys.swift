import Foundation
import SkyNetCore

/// The keys that a member holds: one, or, while the cluster's key is changed, several. The newest comes first.
///
/// A member accepts peers that hold any of its keys. There is at least one key, and no key twice.
package struct ClusterKeys: Hashable, Sendable {
  /// Two are enough to change a key. The others are for changes that overlap.
  package static let maximumCount = 4

  /// The keys, newest first.
  package let all: [ClusterKey]

  /// The key that peers are dialled with if they hold it.
  package var newest: ClusterKey { all[0] }
  package var fingerprints: [String] { all.map(\.fingerprint) }

  /// Holds one key.
  package init(_ key: ClusterKey) { all = [key] }

  /// - Throws: ``KeyError`` `notAKey` if these are no keys, or too many.
  private init(_ keys: [ClusterKey]) throws {
    var seen: Set<ClusterKey> = []
    let distinct = keys.filter { seen.insert($0).inserted }
    guard !distinct.isEmpty else { throw KeyError.notAKey("it is empty") }
    guard distinct.count <= Self.maximumCount else {
      throw KeyError(
        .notAKey,
        "these are \(distinct.count) keys, and at most \(Self.maximumCount) are held at a time: "
          + "`\(ProgramName.text) key retire FINGERPRINT` removes one")
    }
    all = distinct
  }

  /// Reads the keys from ``text`` or ``fileText``: keys with white space or commas between them, newest first.
  ///
  /// - Throws: ``KeyError`` `notAKey`, which does not repeat the text.
  package init(text: some StringProtocol) throws {
    let words = text.split { $0.isWhitespace || $0 == "," }
    try self.init(words.map { try ClusterKey(text: $0) })
  }

  /// The keys in one line, which `skynet key show` prints and `skynet key import` reads.
  package var text: String { all.map(\.text).joined(separator: " ") }

  /// The keys as a file holds them, one on a line.
  package var fileText: String { all.map { $0.text + "\n" }.joined() }

  /// These keys with others before them, in the others' order, except for those that are held already, which
  /// stay where they are. So the same keys can be added again without a change.
  ///
  /// - Throws: ``KeyError`` `notAKey` if these are too many.
  package func adding(_ others: ClusterKeys) throws -> ClusterKeys {
    try ClusterKeys(others.all.filter { !all.contains($0) } + all)
  }

  /// These keys without the one whose fingerprint begins with these digits.
  ///
  /// - Throws: ``KeyError`` `noSuchKey` if there is no such key, or more than one, or no other.
  package func retiring(_ digits: String) throws -> (kept: ClusterKeys, retired: ClusterKey) {
    let digits = digits.lowercased()
    let found = all.filter { $0.fingerprint.hasPrefix(digits) }
    let held = "held are \(fingerprints.joined(separator: ", "))"
    guard digits.count >= Self.leastDigits else {
      throw KeyError(
        .noSuchKey,
        "\"\(digits.bounded)\" is too short for a fingerprint: give \(Self.leastDigits) digits of it "
          + "or more; \(held)")
    }
    guard let key = found.first else {
      throw KeyError(
        .noSuchKey, "no key here has a fingerprint that begins with \(digits.bounded): \(held)")
    }
    guard found.count == 1 else {
      throw KeyError(
        .noSuchKey, "several keys have a fingerprint that begins with \(digits.bounded): \(held)")
    }
    guard all.count > 1 else {
      throw KeyError(
        .noSuchKey,
        "\(key.fingerprint) is the only key here: `\(ProgramName.text) key add` the next one before, or replace "
          + "it with `\(ProgramName.text) key new`")
    }
    return (try ClusterKeys(all.filter { $0 != key }), key)
  }

  /// As many digits of a fingerprint as messages about other clusters show.
  private static let leastDigits = 4
}

extension ClusterKeys: CustomStringConvertible {
  /// The fingerprints.
  package var description: String { fingerprints.joined(separator: ", ") }
}

extension String {
  /// At most 32 characters, for messages, where an argument may be a key by mistake.
  fileprivate var bounded: String { count <= 32 ? self : "\(prefix(8))…" }
}
