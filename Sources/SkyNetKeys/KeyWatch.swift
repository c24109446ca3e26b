/// Decides what follows from each look at a key file that may have changed. It is pure: it takes what was read,
/// and returns the actions to perform.
///
/// A file is read, and not only its dates: dates on some file systems change by the second, so that of two
/// changes the second would not show.
package struct KeyWatch: Sendable {
  package enum Action: Hashable, Sendable {
    /// The process holds these keys now, and held others before.
    case changed(from: ClusterKeys, to: ClusterKeys)
    /// The file cannot be used, so that the former keys stay in force. Said once for each reason.
    case keepFormer(reason: String)
    /// The file can be used again, and has the keys that are in force.
    case mended
  }

  private var keys: ClusterKeys
  private var fault: String?

  /// - Parameter keys: the keys that are in force.
  package init(_ keys: ClusterKeys) { self.keys = keys }

  /// The file was read.
  package mutating func read(_ result: Result<ClusterKeys, KeyError>) -> Action? {
    switch result {
    case .success(let new):
      let wasFaulty = fault != nil
      fault = nil
      guard new != keys else { return wasFaulty ? .mended : nil }
      defer { keys = new }
      return .changed(from: keys, to: new)
    case .failure(let error):
      guard error.description != fault else { return nil }
      fault = error.description
      return .keepFormer(reason: error.description)
    }
  }
}
