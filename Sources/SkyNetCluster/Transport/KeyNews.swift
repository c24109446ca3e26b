import Logging

/// News of the keys that a transport authenticates peers by.
package enum KeyNews: Hashable, Sendable {
  /// Other keys are held from now on; the words tell which, for people. The transport's fingerprints are the
  /// new ones already.
  case changed(String)
  /// For this reason the keys cannot be read at present, and the former ones stay in force.
  case fault(String)
  /// The keys can be read again, and are the same as before.
  case mended

  var level: Logger.Level {
    switch self {
    case .changed, .mended: .notice
    case .fault: .warning
    }
  }

  /// What the log says of the process, as in "this node holds the key …".
  var text: String {
    switch self {
    case .changed(let words): words
    case .fault(let reason): "keeps its keys: \(reason)"
    case .mended: "can read its key file again, and keeps its keys"
    }
  }
}
