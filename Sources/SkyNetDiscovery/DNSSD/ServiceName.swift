import SkyNetCore

/// A name that cannot be advertised.
public struct InvalidServiceName: Error, Hashable, CustomStringConvertible {
  /// The name that was refused.
  public let name: String
  /// The fault of the name, in words for people.
  public let description: String
}

/// The names that instances of DNS-SD can have: 1 to 63 bytes of UTF-8 without control characters (RFC 6763,
/// section 4.1.1). Dots and spaces are ordinary characters.
package enum ServiceName {
  static let maximumBytes = PeerName.maximumBytes

  package static func validate(_ name: String) throws(InvalidServiceName) {
    let bytes = name.utf8.count
    if bytes == 0 {
      throw InvalidServiceName(name: name, description: "a node's name must not be empty")
    }
    if bytes > maximumBytes {
      throw InvalidServiceName(
        name: name,
        description: "the name “\(name)” is too long (\(bytes) bytes of UTF-8), "
          + "at most \(maximumBytes) are allowed")
    }
    if name.hasControls {
      throw InvalidServiceName(
        name: name,
        description: "a node's name must not contain control characters or marks of direction")
    }
  }

  /// The name to try after `name`, which is taken: `a #2` after `a`, `a #3` after `a #2`. The part before the
  /// number is cut, between characters, if the name would become too long.
  package static func alternative(to name: String) -> String {
    var base = Substring(name)
    var number = 2
    if let hash = name.lastIndex(of: "#"), hash > name.startIndex,
      name[name.index(before: hash)] == " ",
      let current = Int(name[name.index(after: hash)...]), (2..<1_000_000).contains(current)
    {
      base = name[..<name.index(before: hash)]
      number = current + 1
    }
    let suffix = " #\(number)"
    while base.utf8.count + suffix.utf8.count > maximumBytes { base.removeLast() }
    return base + suffix
  }
}
