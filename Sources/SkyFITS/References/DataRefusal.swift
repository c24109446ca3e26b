// What this file codes is frozen by the version of `SourceScan.kind`.

/// Why a process does not read pixels from a file that another process has named.
package enum DataRefusal: String, Error, CaseIterable, Hashable {
  /// The process reads nothing for this peer.
  case noAccess
  case outside, symbolicLink, missing, unreadable, notRegular, ownKey, notFITS
  case otherSize, otherTime, otherContents, changed
  /// It is another file, and the digests of what is to be read are needed.
  case copy
  case tooLarge

  /// The fault, as the rest of a sentence that begins with the file.
  package var fault: String {
    switch self {
    case .noAccess:
      "a node without --data reads only for an engagement of its own machine and account"
    case .outside: "it is not below its --data"
    case .symbolicLink: "a symbolic link is on the way, which could lead out of its --data"
    case .missing: "it does not exist there"
    case .unreadable: "it may not be read there"
    case .notRegular: "it is not a regular file there"
    case .ownKey: "it is the node's own key"
    case .notFITS: "it is not a FITS file there"
    case .otherSize: "it has another size there"
    case .otherTime: "it was changed, or has other times there"
    case .otherContents: "it has other contents there"
    case .changed: "it changed while it was read there"
    case .copy: "it is a copy there, and is compared as it is read"
    case .tooLarge: "one task would read too much of it at once"
    }
  }
}
