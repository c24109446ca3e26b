import SkyNetCore

/// Why there is no key to use. The description says what to do, and holds no part of a key.
public struct KeyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of fault.
  public enum Code: Hashable, Sendable {
    /// The text is not a key.
    case notAKey
    /// No single key has the fingerprint that was given, or it is the only key.
    case noSuchKey
    /// The file does not exist.
    case notFound
    /// Accounts other than the file's owner can read or write the file.
    case open
    /// The file or its directory cannot be read or written.
    case inaccessible
    /// Environment variables contradict each other, or one that is needed is not set.
    case environment
  }

  /// The kind of fault, to tell faults apart.
  public let code: Code
  /// The reason, and what to do, in words for people.
  public let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  /// The error itself, or one with its words.
  package init(_ error: any Error) {
    self = error as? KeyError ?? KeyError(.inaccessible, "the key cannot be read: \(error)")
  }

  /// A command needs the key's file, but the key is in the environment.
  package static let noFile = KeyError(
    .environment,
    "the key is the one in SKYNET_KEY, and in no file: unset that, or name a file "
      + "with --key-file")

  /// The file was there when the process began. Its keys are in other places still, so a new key is no remedy.
  static func vanished(_ path: String) -> KeyError {
    KeyError(
      .notFound,
      "the key file \(path) is gone: put it back (`\(ProgramName.text) key import` takes the key of another "
        + "member), as what starts from now on does not find it")
  }

  static func notAKey(_ fault: String) -> KeyError {
    KeyError(
      .notAKey, "this is no cluster key: \(fault). `\(ProgramName.text) key show` prints one")
  }

  /// - Parameter sharing: the command that mends it, of the file that a machine's accounts share.
  package static func open(_ path: String, mode: UInt32, sharing: String? = nil) -> KeyError {
    let fault = "\(path) can be used by others than its owner (mode \(String(mode, radix: 8)))"
    guard let sharing else {
      return KeyError(
        .open,
        "\(fault): chmod 600 '\(path)'. If others have seen it, `\(ProgramName.text) key new` replaces it. (A shared "
          + "file may be root's with mode 640, a secret's also on a read-only mount, or under $CREDENTIALS_DIRECTORY)"
      )
    }
    return KeyError(
      .open,
      "\(fault), but should be root's with mode 640, and of a group that is not root's: `\(sharing)` mends that. "
        + "If others have seen it, `sudo \(ProgramName.text) key new` replaces it")
  }

  /// - Parameter remedy: what to do, if the reason tells; else the other places for a key are named.
  static func inaccessible(
    _ path: String, _ verb: String, _ reason: String, remedy: String? = nil
  ) -> KeyError {
    KeyError(
      .inaccessible,
      "\(path) cannot be \(verb): \(reason). "
        + (remedy.map { "\($0). Or name" } ?? "Name") + " a place for the key with --key-file or "
        + "SKYNET_KEY_FILE, give the key itself in SKYNET_KEY, or, on a network that you trust, "
        + "go without by --insecure")
  }
}
